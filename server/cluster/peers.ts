/** The processes that use one served folder and one database. */

import { randomId } from '#server/db/random-id.ts'
import type { Met } from './name-meeting.ts'

/** Length of a name that no folder gives. */
const NAME_BYTES = 12

export interface Peers {
  /** The name of this process in journal entries, jobs and uploads. It changes if this process has lost its lease. */
  readonly writer: string
  /** Whether work that is written under this name is still that of this process, so that it may change files now. */
  holds(writer: string): boolean
  /** Whether the process with that name has ended, or has lost its lease: then its work is taken over. */
  isGone(writer: string): Promise<boolean>
  /**
   * Whether a process that is gone, or does not confirm what it is asked, may go on when it wakes up. A file that it has
   * open must not be used again then.
   */
  mayWake(writer: string): boolean
  /** Whether another process may get requests for what this one has begun. */
  isShared(): boolean
  /** Whether a process with another database may use the folder. */
  hasForeign(): boolean
  /** Whether this process does the periodic work on the folder: one of them does. */
  isMaintainer(): Promise<boolean>
  /**
   * Whether another server with the database has begun before this process to serve the folder at the same path. `elsewhere`:
   * it serves another folder there, since it runs and is not in this one.
   */
  earlier(): Promise<'none' | 'here' | 'elsewhere'>
  /**
   * Makes names in the folder together with the first server that `earlier` finds here.
   *
   * @returns undefined if there is none
   * @throws Fault
   */
  meetEarlier(): Promise<Met | undefined>
}

/** What the private folder of the served one tells, by locks and heartbeats (server/storage/local/private). */
export interface FolderPeers {
  readonly writer: string
  isGone(writer: string): boolean
  isShared(): boolean
}

/** The processes with a database file: the private folder tells everything. Each of them does the periodic work. */
export function peersInFolder(folder: FolderPeers): Peers {
  return {
    get writer() {
      return folder.writer
    },
    holds: (writer) => writer === folder.writer,
    isGone: async (writer) => folder.isGone(writer),
    mayWake: (writer) => !folder.isGone(writer),
    isShared: () => folder.isShared(),
    hasForeign: () => folder.isShared(),
    isMaintainer: async () => true,
    earlier: async () => 'none',
    meetEarlier: async () => undefined,
  }
}

/** For a folder that cannot be written, so that no process leaves a trace in it: nothing is known of the others. */
export function untraceable(): FolderPeers {
  return {
    writer: randomId(NAME_BYTES),
    isGone: () => false,
    isShared: () => false,
  }
}

/** A process that shares nothing. */
export const ALONE: FolderPeers = {
  writer: 'alone',
  isGone: () => true,
  isShared: () => false,
}
