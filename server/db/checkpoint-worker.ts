/**
 * The worker thread that copies the log of the database into the database file. It flushes both, which takes seconds on a
 * slow disk.
 */
import { Database } from 'bun:sqlite'
import type { TaskFailure } from '#server/lib/worker-thread.ts'
import { flushCaches } from './open.ts'

declare const self: Worker

export interface CheckpointRequest {
  /** The path of the database file. */
  path: string
}
export interface CheckpointResponse {
  /** How many pages the log had. */
  pages: number
}

/** How long it waits for other processes that read the log. Those that write to it wait too. */
const BUSY_TIMEOUT_MS = 50

self.onmessage = ({ data: { path } }: MessageEvent<CheckpointRequest>) => {
  try {
    post({ pages: checkpoint(path) })
  } catch (error) {
    post({ failure: String(error) })
  }
}

/** @returns how many pages the log had */
function checkpoint(path: string): number {
  using db = new Database(path, { readwrite: true, strict: true })
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA synchronous = NORMAL`)
  flushCaches(db)
  const restart = db.query<{ busy: number; log: number }, []>('PRAGMA wal_checkpoint(RESTART)')
  const { busy = 1, log: pages = 0 } = restart.get() ?? {}
  if (busy !== 0) return pages
  // The next change begins the log again and flushes its head: it is made here, and changes nothing.
  const version = db.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version
  db.transaction(() => db.exec(`PRAGMA user_version = ${version}`)).immediate()
  return pages
}

function post(message: CheckpointResponse | TaskFailure): void {
  self.postMessage(message)
}
