/** An actor with its current rights and rules: what it may do, and which paths it may see. */
import type { Node } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import type { PolicyAction } from '#wire/permissions.ts'
import type { Actor } from './actor.ts'
import { type PathFilter, pathFilterOf } from './path-filter.ts'
import { requireAction } from './policy.ts'

export class Authorization {
  readonly #currentActor: () => Promise<Actor>
  #actor: Actor
  #filter: PathFilter

  /**
   * @param foldsCase whether the root of the tree ignores the case of names
   * @param currentActor returns the actor with its current rights; throws if the account may no longer be used
   */
  constructor(actor: Actor, foldsCase: boolean, currentActor: () => Promise<Actor>) {
    this.#currentActor = currentActor
    this.#actor = actor
    this.#filter = pathFilterOf(actor, foldsCase)
  }

  get actor(): Actor {
    return this.#actor
  }

  get filter(): PathFilter {
    return this.#filter
  }

  /** @throws Fault forbidden */
  requireVisible(path: TreePath, foldsCase?: boolean): void {
    if (!this.#filter.isVisible(path, foldsCase)) throw noAccess(this.#filter, path, foldsCase)
  }

  /**
   * As `requireVisible` for a folder that is listed, searched or watched: also one that only leads to an allowed one.
   *
   * @throws Fault forbidden
   */
  requireListed(folder: TreePath, foldsCase?: boolean): void {
    if (!this.#filter.isListed(folder, foldsCase)) throw noAccess(this.#filter, folder, foldsCase)
  }

  /**
   * Checks the path of a node and its real path.
   *
   * @throws Fault forbidden
   */
  requireNodeVisible({ path, real, foldsCase }: Node): void {
    this.requireVisible(path, foldsCase)
    this.requireVisible(real, foldsCase)
  }

  /**
   * Programs do not apply rules, so a user with a rule that denies may not start one.
   *
   * @throws Fault forbidden
   */
  requireNoRules(): void {
    if (this.#actor.rules.every(({ allow }) => allow)) return
    throw new Fault(
      'forbidden',
      'You may not run commands, because rules deny you some files and commands do not follow rules.',
    )
  }

  /**
   * The root itself cannot be written, moved or removed.
   *
   * @throws Fault forbidden
   */
  requireChangeable(path: TreePath): void {
    if (path === ROOT) throw new Fault('forbidden', 'The root folder itself cannot be changed.')
    this.requireVisible(path)
  }

  /**
   * Repeats the checks of the request's beginning with the current rights, since a body or a copy may take days.
   *
   * @throws Fault unauthenticated (the account may no longer be used), forbidden (also if the home folder changed)
   */
  async recheck(action: PolicyAction, ...paths: TreePath[]): Promise<void> {
    await this.refresh()
    this.check(action, ...paths)
  }

  /**
   * Reads the actor with the current rights, by which the checks from now on decide.
   *
   * @throws Fault unauthenticated (the account may no longer be used), forbidden (the home folder changed)
   */
  async refresh(): Promise<void> {
    const actor = await this.#currentActor()
    if (actor === this.#actor) return
    if (actor.scope !== this.#actor.scope) {
      throw new Fault('forbidden', 'Your home folder changed during the request. Try again.')
    }
    this.#actor = actor
    this.#filter = pathFilterOf(actor, this.#filter.foldsCase)
  }

  /**
   * As `recheck`, with the rights of the last `refresh`: right before a name changes nothing is waited for.
   *
   * @throws Fault forbidden
   */
  check(action: PolicyAction, ...paths: TreePath[]): void {
    requireAction(this.#actor, action)
    for (const path of paths) this.requireVisible(path)
  }

  /**
   * @returns a function that the storage calls right before a name changes. It repeats the checks, and if the name is
   *   taken, checks the right to replace.
   */
  acceptAt(
    action: PolicyAction,
    paths: readonly TreePath[],
    { overwrite }: { overwrite: boolean },
  ): (taken: boolean) => void {
    return (taken) => {
      this.check(action, ...paths)
      // Without `overwrite` a taken name is a conflict, which the storage reports.
      if (taken && overwrite) requireAction(this.#actor, 'overwrite')
    }
  }
}

/**
 * The fault for a path that an actor may not see. It says whether a rule denies it, or the account hides dotfiles.
 *
 * @param foldsCase whether the folder of the path ignores the case of names, if that is known
 */
export function noAccess(filter: PathFilter, path: TreePath, foldsCase = false): Fault {
  const reason = filter.allows(path, foldsCase) ? 'dotfilesHidden' : 'ruleDenies'
  return new Fault('forbidden', 'You do not have access to this.', { reason })
}

/** As `noAccess` for a node: its path is denied, or the real path to which a link leads. */
export function noAccessTo(filter: PathFilter, { path, real, foldsCase }: Node): Fault {
  return noAccess(filter, filter.isVisible(path, foldsCase) ? real : path, foldsCase)
}
