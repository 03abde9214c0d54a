/** Folders that somebody looks at: told when they change, not more often than anybody can see. */
import { BOUNDS } from '#server/access/bounds.ts'
import { Places } from '#server/access/places.ts'
import type { Scope } from '#server/access/scope.ts'
import { LIMITS } from '#wire/limits.ts'
import type { TreePath } from '#wire/paths.ts'

export class Watching {
  readonly #places = new Places(BOUNDS.watches)
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
    const place = this.#places.take(scope.actor.id)
    let timer: Timer | undefined
    const tellSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        changed()
      }, LIMITS.watchPauseMs)
      timer.unref()
    }
    try {
      const watcher = await scope.watch(path, tellSoon)
      this.#ends.add(over)
      return {
        [Symbol.dispose]: () => {
          this.#ends.delete(over)
          clearTimeout(timer)
          watcher[Symbol.dispose]()
          place[Symbol.dispose]()
        },
      }
    } catch (error) {
      place[Symbol.dispose]()
      throw error
    }
  }

  /** Tells all who listen that it is over. */
  close(): void {
    for (const over of [...this.#ends]) over()
  }
}
