/** The threads that change other file systems than the root's, one for each. */
import type { TreePath } from '#wire/paths.ts'
import { DEADLINE_MS } from '../devices/device-threads.ts'
import type { ServedFolder } from '../operations/served-folder.ts'
import { ChangeThread } from './change-thread.ts'

export class ChangeThreads {
  readonly #served: ServedFolder
  readonly #threads = new Map<string, ChangeThread>()
  /** Called when a file system answers again that did not, and what was running there has ended. */
  onAwake: () => void = () => undefined

  constructor(served: ServedFolder) {
    this.#served = served
  }

  /** The thread of a file system. */
  of(device: string): ChangeThread {
    const thread = this.#threads.get(device) ?? this.#make(device)
    this.#threads.set(device, thread)
    return thread
  }

  /** The number of threads. */
  get count(): number {
    return this.#threads.values().reduce((sum, { isRunning }) => sum + Number(isRunning), 0)
  }

  isSilent(device: string): boolean {
    return this.#threads.get(device)?.isSilent ?? false
  }

  isSlow(device: string): boolean {
    return this.#threads.get(device)?.isSlow ?? false
  }

  close(): void {
    for (const thread of this.#threads.values()) thread.close()
  }

  #make(device: string): ChangeThread {
    const { root, ownPaths, options, volumes } = this.#served
    return new ChangeThread({
      start: {
        root: root.fd,
        device,
        ownPaths,
        fileMode: options.fileMode,
        folderMode: options.folderMode,
        processFolder: volumes.home.ownName,
        isRelaxed: volumes.flushes.isRelaxed,
      },
      functions: functionsOf(this.#served),
      deadlineMs: options.diskDeadlineMs ?? DEADLINE_MS,
      changed: (paths) => this.#served.index?.changed(paths as readonly TreePath[]),
      awake: () => this.onAwake(),
    })
  }
}

/** The functions of the storage that a thread calls. */
function functionsOf({ options }: ServedFolder): Record<string, (...args: never[]) => unknown> {
  const { makeRoom, reclaimable, reserve, recovered } = options
  return {
    ...(makeRoom && { makeRoom }),
    ...(reclaimable && { reclaimable }),
    ...(recovered && { recovered }),
    ...(reserve && {
      keptOn: (device: number) => reserve.keptOn(device),
      refusal: (device: number) => {
        throw reserve.refusal(device)
      },
    }),
  }
}
