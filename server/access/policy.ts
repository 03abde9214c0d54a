/** Who may do what. All decisions are here; a refusal throws. */
import { Fault } from '#wire/fault.ts'
import { DEPTH_MAX, joinPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { type Action, type Permission, permits } from '#wire/permissions.ts'
import type { Actor } from './actor.ts'
import { compileRules, type PathPredicate } from './rules.ts'

const REFUSALS: Record<Action, string> = {
  look: 'You do not have access to this.',
  download: 'You do not have permission to download.',
  create: 'You do not have permission to create files or folders.',
  overwrite: 'You do not have permission to replace files.',
  modify: 'You do not have permission to change files.',
  delete: 'You do not have permission to delete.',
  purge: 'You do not have permission to delete permanently.',
  copy: 'You do not have permission to create files or folders.',
  rename: 'You do not have permission to rename or move.',
  share: 'You do not have permission to share.',
  execute: 'You do not have permission to run commands.',
  administer: 'Only administrators may do this.',
}

/** Whoever holds permissions: an actor, or a person's account. */
type Holder = Pick<Actor, 'perm'>

/** Whether the holder may do `action` at all; single paths may still be denied. */
export function may({ perm }: Holder, action: Action): boolean {
  return permits(perm, action)
}

/** @throws Fault forbidden */
export function must(holder: Holder, action: Action): void {
  if (!may(holder, action)) throw new Fault('forbidden', REFUSALS[action])
}

/** Whether what is `userId`'s may be seen and managed: by its owner, and by administrators. */
export function mayManage(holder: Holder & Pick<Actor, 'id'>, userId: number | undefined): boolean {
  return holder.id === userId || may(holder, 'administer')
}

/** @throws Fault forbidden where a permission is missing; administrators hold all */
export function mustHold({ perm }: Holder, permission: Permission): void {
  if (perm.admin || perm[permission]) return
  throw new Fault('forbidden', 'You do not have permission to do this.')
}

/** Which paths exist for this actor: rules and hidden dotfiles (docs/decisions.md 5 and 6). */
export function visibility(actor: Actor, foldsCase: boolean): PathPredicate {
  const allowed = permitted(actor, foldsCase)
  if (!actor.hideDotfiles) return allowed
  return (path) => allowed(path) && namesOf(actor, path).every((name) => !isHidden(name))
}

/** Which paths the rules leave this actor, hidden or not. */
export function permitted(actor: Actor, foldsCase: boolean): PathPredicate {
  const allowed = compileRules(actor.rules, foldsCase)
  return (path) => namesOf(actor, path).every(allowed)
}

/**
 * A path in the terms of the rules. A person's own is that already, unless it is deeper than a path may be, which takes two
 * characters a level: a listing asks for each of its names.
 */
function namesOf({ rulesFrom }: Actor, path: TreePath): TreePath[] {
  const isShort = path.length < 2 * DEPTH_MAX
  return rulesFrom.map((top) => (top === ROOT && isShort ? path : joinPath(top, path)))
}

/** Any segment that begins with a dot hides the whole path (docs/decisions.md 6). */
function isHidden(path: TreePath): boolean {
  return segmentsOf(path).some((name) => name.startsWith('.'))
}
