/** Who acts, with the rights and rules of the moment: what they may do, and what they may see. */
import type { Node } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import type { Action } from '#wire/permissions.ts'
import type { Actor } from './actor.ts'
import { PathFilter } from './path-filter.ts'
import { must } from './policy.ts'

export class Authorization {
  readonly #foldsCase: boolean
  readonly #present: () => Actor
  #actor: Actor
  #filter: PathFilter

  /**
   * @param foldsCase names that differ only by case are one name at the top of the tree
   * @param present the actor as they are at that moment; throws when they may do nothing any more
   */
  constructor(actor: Actor, foldsCase: boolean, present: () => Actor) {
    this.#foldsCase = foldsCase
    this.#present = present
    this.#actor = actor
    this.#filter = new PathFilter(actor, foldsCase)
  }

  get actor(): Actor {
    return this.#actor
  }

  get filter(): PathFilter {
    return this.#filter
  }

  /** @throws Fault forbidden */
  mustSee(path: TreePath, foldsCase?: boolean): void {
    if (!this.#filter.sees(path, foldsCase))
      throw new Fault('forbidden', 'You do not have access to this.')
  }

  /** A thing by its name and by its place. @throws Fault forbidden */
  mustSeeBoth({ path, real, foldsCase }: Node): void {
    this.mustSee(path, foldsCase)
    this.mustSee(real, foldsCase)
  }

  /** A program knows no rules: whom rules deny anything may start none. @throws Fault forbidden */
  mustBeFree(): void {
    if (this.#actor.rules.every(({ allow }) => allow)) return
    throw new Fault(
      'forbidden',
      'Rules close some of your files, and a command cannot be kept to rules.',
    )
  }

  /** The root itself is no object to write, move or remove. @throws Fault forbidden */
  mustChange(path: TreePath): void {
    if (path === ROOT) throw new Fault('forbidden', 'The top folder itself cannot be changed.')
    this.mustSee(path)
  }

  /**
   * Asks again what was asked when the request began, of the actor as they are now: a body may take days
   * to arrive, and a copy long to make.
   *
   * @throws Fault unauthenticated, forbidden
   */
  mustStill(action: Action, ...paths: TreePath[]): void {
    const actor = this.#present()
    if (actor !== this.#actor) {
      if (actor.scope !== this.#actor.scope) {
        throw new Fault('forbidden', 'Your folder changed during the request.')
      }
      this.#actor = actor
      this.#filter = new PathFilter(actor, this.#foldsCase)
    }
    must(actor, action)
    for (const path of paths) this.mustSee(path)
  }

  /** Whoever came first to a name: replacing it needs the right to at that moment. */
  acceptAt(action: Action, ...paths: TreePath[]): (taken: boolean) => void {
    return (taken) => {
      this.mustStill(action, ...paths)
      if (taken) must(this.#actor, 'overwrite')
    }
  }
}
