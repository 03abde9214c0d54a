/** What an actor's rules leave to them, with expressions compiled when they are first asked. */
import type { Node } from '#server/storage/node.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Actor } from './actor.ts'
import { permitted, visibility } from './policy.ts'
import type { PathPredicate } from './rules.ts'

type Making = typeof visibility | typeof permitted

export class PathFilter {
  readonly #actor: Actor
  readonly #foldsCase: boolean
  /** Made so far, for names whose case counts, and for others. */
  readonly #exact = new Map<Making, PathPredicate>()
  readonly #folding = new Map<Making, PathPredicate>()

  /** @param foldsCase names that differ only by case are one name at the top of the tree */
  constructor(actor: Actor, foldsCase: boolean) {
    this.#actor = actor
    this.#foldsCase = foldsCase
  }

  /** Whether there are rules at all. */
  get isLimited(): boolean {
    return this.#actor.rules.length > 0
  }

  /** Whether everything in the tree exists for the actor. */
  get isUnrestricted(): boolean {
    return !this.isLimited && !this.#actor.hideDotfiles
  }

  /** Whether some rules are expressions, which may match any name. */
  get hasExpressions(): boolean {
    return this.#actor.rules.some(({ regex }) => regex)
  }

  /** Whether a path exists for the actor. */
  sees(path: TreePath, foldsCase = false): boolean {
    return this.#predicate(visibility, foldsCase)(path)
  }

  /** Whether a thing exists for the actor, by its name and by its place. */
  shows({ path, real, foldsCase }: Node): boolean {
    return this.sees(path, foldsCase) && (real === path || this.sees(real, foldsCase))
  }

  /** Those of `nodes` that exist for the actor. */
  *shown(nodes: readonly Node[]): Generator<Node> {
    for (const node of nodes) if (this.shows(node)) yield node
  }

  /** Whether rules leave it to the actor; hidden dotfiles travel with the folder that holds them. */
  allows(path: TreePath, foldsCase: boolean): boolean {
    return this.#predicate(permitted, foldsCase)(path)
  }

  #predicate(of: Making, folded: boolean): PathPredicate {
    const foldsCase = folded || this.#foldsCase
    const made = foldsCase ? this.#folding : this.#exact
    const known = made.get(of)
    if (known) return known
    const predicate = of(this.#actor, foldsCase)
    made.set(of, predicate)
    return predicate
  }
}
