/** Folders that somebody looks at: told when they change, not more often than anybody can see. */

import { ConcurrencyLimit } from '#server/access/concurrency-limit.ts'
import { CONCURRENCY_LIMITS } from '#server/access/concurrency-limits.ts'
import type { Scope } from '#server/access/scope.ts'
import { LIMITS } from '#wire/limits.ts'
import type { TreePath } from '#wire/paths.ts'

export class FolderWatchers {
  readonly #limit = new ConcurrencyLimit(CONCURRENCY_LIMITS.watches)
  readonly #ends = new Set<() => void>()

  /**
   * Calls `changed` soon after a change of the folder, and once for many, until it is disposed of.
   *
   * @param over is called when the server stops: nothing more will be told
   * @throws Fault notFound, notDirectory, forbidden, unsupported (nobody tells), tooMany and
   *   unavailable (as many as may be are watched already)
   */
  async watch(
    scope: Scope,
    path: TreePath,
    { changed, over }: { changed(): void; over(): void },
  ): Promise<Disposable> {
    const slot = this.#limit.acquire(scope.actor.id)
    let timer: Timer | undefined
    const notifySoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        changed()
      }, LIMITS.watchPauseMs)
      timer.unref()
    }
    try {
      const watcher = await scope.watch(path, notifySoon)
      this.#ends.add(over)
      return {
        [Symbol.dispose]: () => {
          this.#ends.delete(over)
          clearTimeout(timer)
          watcher[Symbol.dispose]()
          slot[Symbol.dispose]()
        },
      }
    } catch (error) {
      slot[Symbol.dispose]()
      throw error
    }
  }

  /** Tells all who listen that it is over. */
  close(): void {
    for (const over of [...this.#ends]) over()
  }
}
