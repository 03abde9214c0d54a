/** Watches folders for clients, and limits how often they are notified. */

import { ConcurrencyLimit } from '#server/access/concurrency-limit.ts'
import { CONCURRENCY_LIMITS } from '#server/access/concurrency-limits.ts'
import type { Scope } from '#server/access/scope.ts'
import { LIMITS } from '#wire/limits.ts'
import type { TreePath } from '#wire/paths.ts'

/** How often it is checked that a watched folder is still at its path. */
const CHECK_EVERY_MS = 5000

export class FolderWatchers {
  readonly #limit = new ConcurrencyLimit(CONCURRENCY_LIMITS.watches)
  /** The `ended` function of each watch. */
  readonly #watches = new Set<() => void>()

  /**
   * Calls `changed` soon after a change of the folder, once for several, until it is disposed of.
   *
   * @param ended called when the watch ends, because the server stops or the folder is no longer at its path. The
   *   system would report changes after a move too, even where the actor has no access.
   * @throws Fault notFound, notDirectory, forbidden, unsupported (changes are not reported), tooMany and unavailable
   *   (limit of watches)
   */
  async watch(
    scope: Scope,
    path: TreePath,
    { changed, ended }: { changed(): void; ended(): void },
  ): Promise<Disposable> {
    const permit = this.#limit.acquire(scope.actor.id)
    let timer: Timer | undefined
    try {
      const { identity } = await scope.stat(path)
      const ifStillHere = async (then?: () => void) => {
        const folder = await scope.stat(path).catch(() => undefined)
        if (!this.#watches.has(ended)) return
        if (folder?.identity === identity) then?.()
        else ended()
      }
      const notifySoon = () => {
        timer ??= setTimeout(() => {
          timer = undefined
          void ifStillHere(changed)
        }, LIMITS.watchPauseMs)
        timer.unref()
      }
      const watcher = await scope.watch(path, notifySoon)
      const checkTimer = setInterval(() => void ifStillHere(), CHECK_EVERY_MS)
      checkTimer.unref()
      this.#watches.add(ended)
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

  /** Ends all watches. */
  close(): void {
    for (const ended of [...this.#watches]) ended()
  }
}
