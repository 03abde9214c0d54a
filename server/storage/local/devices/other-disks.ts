/**
 * The file systems that are mounted below the served root, and the root's own one if it may stop answering or is slow. The
 * thread that serves requests leaves them to threads of their own.
 */
import { sharesLocks } from '#server/os/local-file-system.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import type { OwnPaths } from '../confine/server-files.ts'
import type { Handle } from '../handles/handle.ts'
import { type MountBelow, MountsBelow } from '../mounts/mounts-below.ts'
import { DEADLINE_MS, DeviceThreads, SLOW_FOR_MS, SLOW_MS } from './device-threads.ts'

/** The name of the root's file system among the devices. */
const ROOT_DEVICE = 'root'
/** How long an answer of a root counts that another machine or program provides. */
const ANSWER_COUNTS_MS = 50

/** What is known of a mounted file system. */
export interface DiskState {
  /** The mount point, as a path below the root; `/` for the root itself. */
  path: TreePath
  state: 'responds' | 'slow' | 'silent'
}

/** Thrown when an operation on the root's file system comes to a link to another one, which its thread must not touch. */
export class LeadsToOtherDisk extends Error {
  readonly device: string

  constructor(device: string) {
    super('This link leads to another file system.')
    this.device = device
  }
}

/** What threads know of a file system. */
export interface DiskWaits {
  isSilent(device: string): boolean
  isSlow(device: string): boolean
}

export class OtherDisks {
  readonly mounts: MountsBelow
  readonly threads: DeviceThreads
  /** Whether this thread touches them all: it is the one of a file system, or the system lacks threads for them. */
  readonly #mayTouchAll: boolean
  /** Whether another machine or program provides the root, so that it may stop answering. */
  readonly #mayRootStop: boolean
  #rootSlowUntilMs = 0
  #rootAnsweredUntilMs = 0

  /** @param options `device`: this is the thread of that file system, which may touch all */
  constructor(
    root: Handle,
    ownPaths: OwnPaths,
    {
      deadlineMs = DEADLINE_MS,
      device,
    }: { deadlineMs?: number | undefined; device?: object | undefined } = {},
  ) {
    // The threads take the root over by its descriptor.
    this.#mayTouchAll = device !== undefined || typeof root.address !== 'number'
    this.#mayRootStop = !this.#mayTouchAll && !sharesLocks(root.disk)
    this.mounts = new MountsBelow(root)
    this.threads = new DeviceThreads({ root: root.fd, ownPaths }, deadlineMs)
  }

  /** Whether there are file systems that only their threads may touch. */
  get hasOthers(): boolean {
    return !this.#mayTouchAll && this.mounts.all.length > 0
  }

  /** Whether the thread that serves requests may touch the root: a call that waits there stops everybody. */
  async mayTouchRoot(): Promise<boolean> {
    if (this.#isRootSlow) return false
    if (!this.#mayRootStop) return true
    try {
      await this.#ask(ROOT_DEVICE, ROOT)
    } catch {
      return false
    }
    this.#rootAnsweredUntilMs = performance.now() + ANSWER_COUNTS_MS
    return !this.#isRootSlow
  }

  /** As `mayTouchRoot`, without asking the root: one that may stop has just answered. */
  get mayTouchRootNow(): boolean {
    const hasAnswered = !this.#mayRootStop || performance.now() < this.#rootAnsweredUntilMs
    return hasAnswered && !this.#isRootSlow
  }

  /** Whether a path leads to a file system below the root that only its threads may touch. */
  isOnMount(path: TreePath): boolean {
    return !this.#mayTouchAll && this.mounts.crossedBy(path) !== undefined
  }

  /**
   * @param path below the root
   * @returns the file system that a path leads to, if only its threads may touch it
   */
  deviceOf(path: TreePath): string | undefined {
    if (this.#mayTouchAll) return undefined
    const crossed = this.mounts.crossedBy(path)
    if (crossed) return crossed.device
    return this.#isRootElsewhere ? ROOT_DEVICE : undefined
  }

  /** Whether the root is left to its threads: it may stop at any moment, or is slow. */
  get #isRootElsewhere(): boolean {
    return this.#mayRootStop || this.#isRootSlow
  }

  /** Whether the root was slow a short time ago, or its threads wait for it. */
  get #isRootSlow(): boolean {
    return (
      Date.now() < this.#rootSlowUntilMs ||
      this.threads.isSilent(ROOT_DEVICE) ||
      this.threads.isSlow(ROOT_DEVICE)
    )
  }

  /**
   * Waits until the file systems that an operation touches have answered.
   *
   * @param paths below the root
   * @param isDeep whether the operation touches all that is below the paths
   * @returns undefined if the operation touches only the root's file system
   * @throws Fault unavailable if one does not answer
   */
  answer(paths: readonly TreePath[], isDeep = false): Promise<void> | undefined {
    const asked = this.devicesOf(paths, isDeep)
    if (asked.length === 0) return undefined
    return Promise.all(asked.map(([device, path]) => this.#ask(device, path))).then(() => undefined)
  }

  /**
   * @param paths below the root
   * @param isDeep whether an operation touches all that is below the paths
   * @returns the other file systems that the operation touches, in the order of the paths, and a path on each
   */
  devicesOf(
    paths: readonly TreePath[],
    isDeep = false,
  ): (readonly [device: string, path: TreePath])[] {
    if (this.#mayTouchAll) return []
    if (this.mounts.all.length === 0 && !this.#isRootElsewhere) return []
    const found = new Map<string, TreePath>()
    for (const path of paths) {
      const device = this.deviceOf(path)
      if (device !== undefined && !found.has(device)) found.set(device, path)
    }
    for (const mount of isDeep ? paths.flatMap((path) => this.mounts.below(path)) : []) {
      if (!found.has(mount.device)) found.set(mount.device, mount.path)
    }
    return [...found]
  }

  /**
   * To be called before a link is followed in the middle of an operation.
   *
   * @param path of the link, below the root
   * @throws LeadsToOtherDisk
   */
  refuseLinkElsewhere(path: TreePath): void {
    const crossed = this.#mayTouchAll ? undefined : this.mounts.crossedBy(path)
    if (crossed) throw new LeadsToOtherDisk(crossed.device)
  }

  /** Calls something that touches the root's file system, and notices if that was slow. */
  timed<T>(act: () => T): T {
    const startMs = performance.now()
    try {
      return act()
    } finally {
      if (performance.now() - startMs >= SLOW_MS) this.#rootSlowUntilMs = Date.now() + SLOW_FOR_MS
    }
  }

  /**
   * @returns the file system that is mounted at a path below the root, if only its threads may touch it. Nothing is asked.
   */
  deviceAt(mountPoint: TreePath): string | undefined {
    if (this.#mayTouchAll) return undefined
    return this.mounts.all.findLast(({ path }) => path === mountPoint)?.device
  }

  /**
   * The file systems below the root, and the root.
   *
   * @param changes the threads that change them
   */
  states(changes: DiskWaits): DiskState[] {
    const waits = [this.threads, changes]
    const stateOf = ({ device, path }: MountBelow): DiskState => {
      if (waits.some((threads) => threads.isSilent(device))) return { path, state: 'silent' }
      return { path, state: waits.some((threads) => threads.isSlow(device)) ? 'slow' : 'responds' }
    }
    const isRootSlow = this.#isRootSlow
    const root = { device: ROOT_DEVICE, path: ROOT }
    const ofRoot = stateOf(root)
    return [
      ofRoot.state === 'responds' && isRootSlow ? { ...ofRoot, state: 'slow' } : ofRoot,
      ...this.mounts.all.map(stateOf),
    ]
  }

  close(): void {
    this.threads.close()
  }

  async #ask(device: string, path: TreePath): Promise<void> {
    await this.threads.run(device, 'answer', path)
  }
}
