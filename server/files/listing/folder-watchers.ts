/** Watches folders for clients, and limits how often they are notified. */

import type { Scope } from '#server/access/scope/scope.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { Limiter } from '#server/limits/limiter.ts'
import type { Node } from '#server/storage/node.ts'
import { joinPath, parentPath, ROOT, type TreePath } from '#wire/paths.ts'

/** How often it is checked that a watched folder is still at its path, and whether its names have changed. */
const CHECK_EVERY_MS = 5000

export interface WatchListener {
  changed(folder: Node): void
  ended(): void
}

interface Watched {
  /** The real path of the folder, in the served folder. */
  folder: TreePath
  /** Looks at the folder soon. */
  look(): void
}

export class FolderWatchers {
  readonly #limit = new Limiter(CONCURRENCY_LIMITS.watches)
  readonly #treeLimit = new Limiter(CONCURRENCY_LIMITS.treeWatches)
  /** The `ended` function of each watch → what it watches. */
  readonly #watches = new Map<() => void, Watched>()

  /**
   * Calls `changed` soon after a change of the folder, once for several, until it is disposed of.
   *
   * @param ended called when the watch ends, because the server stops or the folder is no longer at its path. The
   *   system would report changes after a move too, even where the actor has no access.
   * @throws Fault notFound, notDirectory, forbidden, unsupported (changes are not reported), tooMany and unavailable
   *   (limit of watches)
   */
  async watch(scope: Scope, path: TreePath, listener: WatchListener): Promise<Disposable> {
    return this.#watch(scope, path, listener, this.#limit.acquire(scope.actor.id))
  }

  /**
   * Calls `changed` at once, and then only after changes of the names in the folder; counts the watch separately.
   *
   * @throws as `watch`
   */
  async watchNames(scope: Scope, path: TreePath, listener: WatchListener): Promise<Disposable> {
    const permit = this.#treeLimit.acquire(scope.actor.id)
    return this.#watch(scope, path, listener, permit, true)
  }

  async #watch(
    scope: Scope,
    path: TreePath,
    { changed, ended }: WatchListener,
    permit: Disposable,
    onlyNames = false,
  ): Promise<Disposable> {
    let timer: Timer | undefined
    try {
      let last = await scope.stat(path)
      const check = async (hasEvent: boolean) => {
        const folder = await scope.stat(path).catch(() => undefined)
        if (!this.#watches.has(ended)) return
        if (folder?.identity !== last.identity) {
          ended()
          return
        }
        // The version of a folder does not change with the content of its files. The system does not report all changes:
        // another machine, or a server that was killed before it could tell others, may have made them.
        const isWanted = folder.version !== last.version || (hasEvent && !onlyNames)
        last = folder
        if (!isWanted) return
        clearTimeout(timer)
        timer = undefined
        changed(folder)
      }
      const notifySoon = () => {
        timer ??= setTimeout(() => {
          timer = undefined
          void check(true)
        }, SERVER_LIMITS.watchPauseMs)
        timer.unref()
      }
      const watcher = await scope.watch(path, notifySoon)
      const checkTimer = setInterval(() => void check(false), CHECK_EVERY_MS)
      checkTimer.unref()
      this.#watches.set(ended, { folder: joinPath(scope.actor.scope, last.real), look: notifySoon })
      if (onlyNames) changed(last)
      return {
        [Symbol.dispose]: () => {
          this.#watches.delete(ended)
          clearInterval(checkTimer)
          clearTimeout(timer)
          watcher[Symbol.dispose]()
          permit[Symbol.dispose]()
        },
      }
    } catch (error) {
      permit[Symbol.dispose]()
      throw error
    }
  }

  /**
   * Reports changes that the system does not, because they were made on another machine.
   *
   * @param paths real paths in the served folder. If one is a folder, anything below it may have changed.
   */
  changed(paths: readonly TreePath[]): void {
    const above = new Set(paths.map(parentPath))
    const changed = new Set(paths)
    for (const { folder, look } of this.#watches.values()) {
      if (above.has(folder) || withAncestors(folder).some((path) => changed.has(path))) look()
    }
  }

  /** Ends all watches. */
  close(): void {
    for (const ended of [...this.#watches.keys()]) ended()
  }
}

function withAncestors(path: TreePath): TreePath[] {
  return path === ROOT ? [ROOT] : [path, ...withAncestors(parentPath(path))]
}
