/**
 * The sign of life of a process in its folder: a file with the identity of the process, which it writes again every
 * minute. A lock says the same, but on network file systems each machine, and with FUSE each mount, has its own locks.
 *
 * On a local disk the lock suffices, and nothing is written every minute, so that the disk can sleep. There another
 * process can ask for a heartbeat: one that reaches the same folder through a network.
 */
import { closeSync, constants, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import type { ProcessId } from '#server/os/process-id.ts'
import { randomName } from '../attributes/own-folder.ts'
import { fileCalls } from '../handles/file-calls.ts'
import type { Handle } from '../handles/handle.ts'

/** Names in the folder of a process. */
export const HEARTBEAT = 'heartbeat'
const ASKED = 'heartbeat-asked'
const HEARTBEAT_MAX_BYTES = 1024
/** An unanswered request of this age means that the process has ended. A running one answers within a minute. */
export const QUIET_MS = 10 * 60_000

/** Whether a name in the folder of a process is that of a heartbeat, or of the request for one. */
export function isSignOfLife(name: string): boolean {
  return name === HEARTBEAT || name === ASKED
}

/** What the file says. */
export interface Heartbeat {
  /** All of it; each heartbeat is different. Empty if there is none. */
  text: string
  owner: ProcessId | undefined
}

/** Writes the first heartbeat of this process. A failure is ignored: the disk may be full. */
export function writeHeartbeat(folder: Handle, own: ProcessId): void {
  try {
    writeFileSync(folder.at(HEARTBEAT), heartbeatOf(own), { mode: 0o600 })
  } catch {
    // Other processes still see the lock, and the next heartbeat may succeed.
  }
}

/**
 * Writes the heartbeat again.
 *
 * @param isPeriodic otherwise only if another process has asked for it
 * @throws system errors
 */
export async function repeatHeartbeat(
  folder: Handle,
  own: ProcessId,
  isPeriodic: boolean,
): Promise<void> {
  const isAsked = await fileCalls.unlink(folder.at(ASKED)).then(
    () => true,
    () => false,
  )
  if (isAsked || isPeriodic) await fileCalls.writeFile(folder.at(HEARTBEAT), heartbeatOf(own))
}

/** @throws system errors, except if there is no heartbeat */
export function readHeartbeat(folder: Handle): Heartbeat {
  try {
    using file = folder.child(HEARTBEAT, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = file.stat()
    if (!stats.isFile() || stats.size > HEARTBEAT_MAX_BYTES) return { text: '', owner: undefined }
    const text = readFileSync(file.fd, 'utf8')
    return { text, owner: ownerIn(text) }
  } catch (error) {
    if (!['ENOENT', 'ELOOP', 'ENXIO'].includes(errnoOf(error) ?? '')) throw error
    return { text: '', owner: undefined }
  }
}

/**
 * Asks a process for a heartbeat, if that was not done yet.
 *
 * @throws system errors
 */
export function askForHeartbeat(folder: Handle): void {
  try {
    createEmpty(folder, ASKED)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
}

/**
 * Whether a process was asked for a heartbeat ten minutes ago, and has not answered. Both times are those of the file
 * system, whose clock may differ from that of this machine.
 *
 * @throws system errors
 */
export function isUnanswered(folder: Handle): boolean {
  const now = randomName()
  createEmpty(folder, now)
  try {
    return timeOf(folder, now) - timeOf(folder, ASKED) >= QUIET_MS
  } finally {
    rmSync(folder.at(now), { force: true })
  }
}

function createEmpty(folder: Handle, name: string): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  closeSync(openSync(folder.at(name), flags, 0o600))
}

function timeOf(folder: Handle, name: string): number {
  using file = folder.child(name, constants.O_RDONLY | constants.O_NONBLOCK)
  return file.stat().mtimeMs
}

function heartbeatOf(own: ProcessId): string {
  return JSON.stringify({ ...own, beat: performance.now() })
}

function ownerIn(text: string): ProcessId | undefined {
  try {
    const { host, boot, namespace, pid, start } = JSON.parse(text)
    const isComplete =
      [host, boot, namespace].every((part) => typeof part === 'string') &&
      [pid, start].every((number) => Number.isSafeInteger(number) && number >= 0)
    return isComplete && pid > 0 ? { host, boot, namespace, pid, start } : undefined
  } catch {
    return undefined
  }
}
