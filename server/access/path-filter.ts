/** The paths that an actor's rules and hidden dotfiles permit. Rules are compiled on first use. */
import type { FolderNodes } from '#server/storage/folder-nodes.ts'
import type { Node } from '#server/storage/node.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Actor } from './actor.ts'
import { allowedPaths, listedFolders, visiblePaths } from './policy.ts'
import type { PathPredicate } from './rules.ts'

type PredicateFactory = typeof visiblePaths | typeof listedFolders | typeof allowedPaths

/** The latest filter of each actor, because a user makes many requests with the same rules. */
const filters = new WeakMap<Actor, PathFilter>()

/**
 * The filter of an actor. It is the same for all requests of the actor, so its rules are not compiled for each.
 *
 * @param foldsCase whether the root of the tree ignores the case of names
 */
export function pathFilterOf(actor: Actor, foldsCase: boolean): PathFilter {
  const known = filters.get(actor)
  if (known?.foldsCase === foldsCase) return known
  const filter = new PathFilter(actor, foldsCase)
  filters.set(actor, filter)
  return filter
}

export class PathFilter {
  readonly #actor: Actor
  /** Whether the root of the tree ignores the case of names. */
  readonly foldsCase: boolean
  /** Compiled predicates for case-sensitive file systems and for file systems that ignore case, by their factory. */
  readonly #exact = new Map<PredicateFactory, PathPredicate>()
  readonly #folding = new Map<PredicateFactory, PathPredicate>()

  constructor(actor: Actor, foldsCase: boolean) {
    this.#actor = actor
    this.foldsCase = foldsCase
  }

  /** Whether the actor has any rules. */
  get hasRules(): boolean {
    return this.#actor.rules.length > 0
  }

  /** Whether the actor may see everything in the tree. */
  get isUnrestricted(): boolean {
    return !this.hasRules && !this.#actor.hideDotfiles
  }

  /** Whether some rules are expressions, which may match any name. */
  get hasExpressions(): boolean {
    return this.#actor.rules.some(({ regex }) => regex)
  }

  /**
   * Whether the actor may see a path.
   *
   * @param foldsCase whether the folder of the path ignores the case of names, if that is known
   */
  isVisible(path: TreePath, foldsCase = false): boolean {
    return this.#predicate(visiblePaths, foldsCase)(path)
  }

  /**
   * Whether the actor may list a folder: also a denied one that leads to an allowed one.
   *
   * @param foldsCase as for `isVisible`
   */
  isListed(folder: TreePath, foldsCase = false): boolean {
    return this.#predicate(listedFolders, foldsCase)(folder)
  }

  /**
   * Whether the actor may see a node, by its path and its real path. For a link, the folder of the link decides about
   * case; opening the link checks each folder on the way.
   */
  isNodeVisible({ path, real, kind, isLink, foldsCase }: Node): boolean {
    const isShown =
      kind === 'folder' && !isLink
        ? this.isListed(path, foldsCase)
        : this.isVisible(path, foldsCase)
    return isShown && (real === path || this.isVisible(real, foldsCase))
  }

  /** @returns the nodes of a folder that the actor may see */
  async visibleNodes(nodes: FolderNodes): Promise<FolderNodes> {
    return this.isUnrestricted ? nodes : nodes.filter((node) => this.isNodeVisible(node))
  }

  /** Whether the rules allow a path. Hidden dotfiles are allowed: they are copied with their folder. */
  allows(path: TreePath, foldsCase: boolean): boolean {
    return this.#predicate(allowedPaths, foldsCase)(path)
  }

  #predicate(factory: PredicateFactory, folderFoldsCase: boolean): PathPredicate {
    const foldsCase = folderFoldsCase || this.foldsCase
    const predicates = foldsCase ? this.#folding : this.#exact
    const known = predicates.get(factory)
    if (known) return known
    const predicate = factory(this.#actor, foldsCase)
    predicates.set(factory, predicate)
    return predicate
  }
}
