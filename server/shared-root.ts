/**
 * Whether several servers may serve a folder. On some file systems that other machines mount, two servers can replace each
 * other's files without noticing it. One server alone works there by checks before each step.
 */
import { lacksAt } from '#server/storage/local/probe/probe.ts'
import { folderOpenerOf, type StorageKind } from '#server/storage/portable/choose-storage.ts'
import { LACKS, lacksBetween, type Promised } from '#server/storage/probe.ts'
import type { FolderSharing } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import type { Met } from './cluster/name-meeting.ts'
import type { Peers } from './cluster/peers.ts'

/** What operators should know of a file system that lacks something. */
export interface SharedRootNotice {
  what: string
  advice: string
}

/**
 * Tries what several servers rely on, and also together with the server that serves the folder already.
 *
 * @param root the path of the folder
 * @returns what its file system lacks
 * @throws Fault conflict (there is such a server, and the two could replace each other's files)
 */
export async function requireShareable(
  root: string,
  { sharing, peers }: { sharing: FolderSharing; peers: Peers },
): Promise<SharedRootNotice[]> {
  const earlier = await peers.earlier()
  if (earlier === 'elsewhere') throw refused(root, ELSEWHERE)
  const lacks = await sharing.lacks()
  if (earlier === 'here') {
    if (!lacks) throw refused(root, 'Its disk is full, so its file system cannot be tried.')
    refuseUnsafe(root, lacks)
    // Otherwise the kernel of this machine decides, and it is the same one for both.
    if (!(await sharing.isOnOneMachine())) refuseUnsafeMeeting(root, await peers.meetEarlier())
  }
  return noticesOf(root, lacks ?? [])
}

/**
 * Tries the same for a folder that this process does not serve.
 *
 * @returns what its file system lacks; undefined if the folder was not served yet, or its disk is full
 * @throws system errors, also if the folder cannot be written
 */
export async function tryRoot(
  root: string,
  kind: StorageKind,
): Promise<SharedRootNotice[] | undefined> {
  const lacks = await lacksAt(root, folderOpenerOf(kind))
  return lacks && noticesOf(root, lacks)
}

function refuseUnsafe(root: string, lacks: readonly Promised[]): void {
  const unsafe = lacks.filter((promised) => LACKS[promised].isUnsafe)
  if (unsafe.length > 0) throw refused(root, `On its file system ${meaning(unsafe)}.`)
}

function refuseUnsafeMeeting(root: string, met: Met | undefined): void {
  if (!met) return
  if ('failure' in met) throw refused(root, met.failure)
  refuseUnsafe(root, lacksBetween(met.own, met.other))
}

const ELSEWHERE =
  'Its folder at this path is another one: perhaps a copy, or a file system is not mounted here or there.'

function refused(root: string, reason: string): Fault {
  return new Fault(
    'conflict',
    `Another server serves ${root} too, and the two could replace each other's files. ${reason}`,
  )
}

function noticesOf(root: string, lacks: readonly Promised[]): SharedRootNotice[] {
  const unsafe = lacks.filter((promised) => LACKS[promised].isUnsafe)
  const safe = lacks.filter((promised) => !LACKS[promised].isUnsafe)
  const notices: SharedRootNotice[] = []
  if (unsafe.length > 0) {
    notices.push({
      what: `Only one server can serve ${root}. On its file system ${meaning(unsafe)}.`,
      advice: 'A second server is refused. For several, store the files on another file system.',
    })
  }
  if (safe.length > 0) {
    notices.push({
      what: `On the file system of ${root} ${meaning(safe)}.`,
      advice: 'filemgr works without that.',
    })
  }
  return notices
}

function meaning(lacks: readonly Promised[]): string {
  return lacks.map((promised) => LACKS[promised].means).join('; ')
}
