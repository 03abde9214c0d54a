/** Folders that somebody looks at: told when they change, not more often than anybody can see. */
import type { Scope } from '#server/access/scope.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import type { TreePath } from '#wire/paths.ts'

export class Watching {
  #open = 0
  readonly #byPerson = new Map<number, number>()
  readonly #ends = new Set<() => void>()

  /**
   * Calls `changed` soon after a change of the folder, and once for many, until it is disposed of.
   *
   * @param over is called when the server stops: nothing more will be told
   * @throws Fault notFound, notDirectory, forbidden, unsupported (nobody tells), unavailable (too many
   *   are watched already)
   */
  async watch(
    scope: Scope,
    path: TreePath,
    { changed, over }: { changed(): void; over(): void },
  ): Promise<Disposable> {
    const leave = this.#enter(scope.actor.id)
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
          leave()
        },
      }
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Tells all who listen that it is over. */
  close(): void {
    for (const over of [...this.#ends]) over()
  }

  /** Takes a place. @returns gives it back, once */
  #enter(person: number): () => void {
    const own = this.#byPerson.get(person) ?? 0
    if (own >= LIMITS.watchesOfPerson || this.#open >= LIMITS.watches) {
      throw new Fault('unavailable', 'Too many folders are watched already.', { retryAfterSec: 30 })
    }
    this.#open += 1
    this.#byPerson.set(person, own + 1)
    let inside = true
    return () => {
      if (!inside) return
      inside = false
      this.#open -= 1
      const left = (this.#byPerson.get(person) ?? 1) - 1
      if (left === 0) this.#byPerson.delete(person)
      else this.#byPerson.set(person, left)
    }
  }
}
