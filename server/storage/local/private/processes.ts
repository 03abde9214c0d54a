/**
 * Tells which processes still use the private folders of a served tree, and shows that this one does. Each process has
 * a folder there, with a lock and a heartbeat.
 *
 * A folder on a local disk is abandoned when its lock is free. Elsewhere the lock says nothing about other machines: a
 * process of this machine is looked up, and any other one has ended if its heartbeat has not changed for ten minutes
 * that this process has watched. So it does not matter whether the clocks of the machines agree, or jump.
 */
import { constants } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { O_DIRECTORY } from '#server/os/flags.ts'
import { sharesLocks } from '#server/os/local-file-system.ts'
import { isLocked } from '#server/os/lock.ts'
import { lockOwner } from '#server/os/lock-owner.ts'
import { isRunning, ownProcessId } from '#server/os/process-id.ts'
import type { Handle } from '../handles/handle.ts'
import { askForHeartbeat, isUnanswered, QUIET_MS, readHeartbeat } from './heartbeat.ts'

const BEAT_EVERY_MS = 60_000
const FOLDER = constants.O_RDONLY | O_DIRECTORY

/** A private folder that this process has open. */
export interface OwnFolder {
  /** The name of the folder of this process in it. */
  ownName: string
  /** Writes the heartbeat again; creates the folder of the process if it is gone. @throws system errors */
  beat(): Promise<void>
}

/** The process with a folder; undefined parts are unknown. */
export interface Owner {
  pid?: number
  host?: string
  /** Whether this process can look it up by its number. */
  isNear?: boolean
}

export interface ProcessOptions {
  /** Called with what processes that have ended had left: files that were staged, and items that were hidden. */
  recovered(kind: 'staged' | 'hidden', count: number): void
  /** A clock that does not jump. */
  nowMs(): number
  sharesLocks(path: string | Buffer): boolean
  /** Whether this thread may touch the folders now: not while their disk does not respond. */
  mayTouch(): Promise<boolean>
}

export class Processes {
  readonly #options: ProcessOptions
  readonly id = ownProcessId()
  readonly #own = new Set<OwnFolder>()
  /** Key: the name of another process's folder; value: its heartbeat, and since when it is the same. */
  readonly #watched = new Map<string, { text: string; sinceMs: number }>()
  /** Runs while this process has a private folder open. */
  #timer: Timer | undefined
  #log: (line: string) => void = () => undefined

  constructor(options: Partial<ProcessOptions> = {}) {
    const [recovered, mayTouch] = [() => undefined, async () => true]
    const nowMs = () => performance.now()
    this.#options = { nowMs, sharesLocks, recovered, mayTouch, ...options }
  }

  /** @param log receives what an administrator should know */
  listen(log: (line: string) => void): void {
    this.#log = log
  }

  log(line: string): void {
    this.#log(line)
  }

  /** Reports what a process that has ended had left. */
  recovered(kind: 'staged' | 'hidden', count: number): void {
    this.#options.recovered(kind, count)
  }

  /** Shows from now on, until the result is disposed of, that a folder is in use. */
  show(folder: OwnFolder): Disposable {
    this.#own.add(folder)
    this.#timer ??= setInterval(() => void this.beat(), BEAT_EVERY_MS).unref()
    return {
      [Symbol.dispose]: () => {
        this.#own.delete(folder)
        if (this.#own.size > 0) return
        clearInterval(this.#timer)
        this.#timer = undefined
      },
    }
  }

  /** Writes the heartbeats of this process again. */
  async beat(): Promise<void> {
    if (!(await this.#options.mayTouch())) return
    // A failure is ignored: the next heartbeat may succeed.
    for (const folder of this.#own) await folder.beat().catch(() => undefined)
  }

  /** Whether a heartbeat must be written every minute. */
  needsHeartbeat(folder: Handle): boolean {
    return !this.#options.sharesLocks(folder.disk)
  }

  /**
   * Whether the process with a folder in `work` has ended, or has removed it.
   *
   * @param name of its folder
   */
  isGone(work: Handle, name: string): boolean {
    if (this.#isOwn(name)) return false
    try {
      using folder = work.child(name, FOLDER)
      return !isLocked(folder.fd) && this.#isAbandoned(folder, name)
    } catch (error) {
      this.#watched.delete(name)
      return ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')
    }
  }

  /** @returns the folders in `work` of those processes that are others and run */
  others(work: Handle, names: readonly string[]): string[] {
    return names.filter((name) => !this.#isOwn(name) && !this.isGone(work, name))
  }

  /**
   * @param name of the folder of a process in `work`
   * @returns what is known of the process
   */
  ownerOf(work: Handle, name: string): Owner {
    try {
      using folder = work.child(name, FOLDER)
      const { owner } = readHeartbeat(folder)
      if (!owner) {
        const pid = lockOwner(folder.fd)
        return pid === undefined ? {} : { pid, host: this.id.host, isNear: true }
      }
      return { pid: owner.pid, host: owner.host, isNear: isRunning(owner, this.id) === true }
    } catch {
      // It has ended since.
      return {}
    }
  }

  #isOwn(name: string): boolean {
    return [...this.#own].some(({ ownName }) => ownName === name)
  }

  /** Whether the process of an unlocked folder has ended. */
  #isAbandoned(folder: Handle, name: string): boolean {
    if (this.#options.sharesLocks(folder.disk)) return true
    const { text, owner } = readHeartbeat(folder)
    const isOwnerRunning = owner && isRunning(owner, this.id)
    if (isOwnerRunning !== undefined) return !isOwnerRunning
    askForHeartbeat(folder)
    const nowMs = this.#options.nowMs()
    const watched = this.#watched.get(name)
    if (watched?.text === text) return nowMs - watched.sinceMs >= QUIET_MS
    this.#watched.set(name, { text, sinceMs: nowMs })
    return false
  }
}

/**
 * Whether a process may still use a folder of processes. Called for a folder that this process does not watch, so an
 * unanswered request for a heartbeat tells.
 *
 * @param work the folder of processes in a private folder
 */
export function mayBeUsed(work: Handle): boolean {
  return work.names().some((name) => {
    try {
      using folder = work.child(name, FOLDER)
      if (isLocked(folder.fd)) return true
      if (sharesLocks(folder.disk)) return false
      const { owner } = readHeartbeat(folder)
      const isOwnerRunning = owner && isRunning(owner)
      if (isOwnerRunning !== undefined) return isOwnerRunning
      askForHeartbeat(folder)
      return !isUnanswered(folder)
    } catch (error) {
      return !['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')
    }
  })
}
