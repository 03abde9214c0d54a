/** All decisions about who may do what. A refusal throws. */
import { Fault } from '#wire/fault.ts'
import { caselessText } from '#wire/fold.ts'
import {
  DEPTH_MAX,
  joinPath,
  parentPath,
  parsePath,
  ROOT,
  segmentsOf,
  type TreePath,
} from '#wire/paths.ts'
import {
  missingPermissions,
  type Permission,
  type PolicyAction,
  permits,
} from '#wire/permissions.ts'
import type { Actor } from './actor.ts'
import { compileRules, type PathPredicate } from './rules.ts'

const REFUSALS: Record<PolicyAction, string> = {
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

/** An actor or a user account. */
type PermissionHolder = Pick<Actor, 'perm' | 'ceiling'>

/** Whether the holder may do `action` in general; rules may still deny a path. */
export function may({ perm, ceiling }: PermissionHolder, action: PolicyAction): boolean {
  return permits(perm, action) && (!ceiling || permits(ceiling.permissions, action))
}

/** @returns the permissions that `action` needs and the account (`permission`) or the ceiling lacks: what `may` refuses */
export function missingRights(
  { perm, ceiling }: PermissionHolder,
  action: PolicyAction,
): { by: 'permission' | 'ceiling'; permission: Permission }[] {
  const ofCeiling = ceiling ? missingPermissions(ceiling.permissions, action) : []
  return [
    ...missingPermissions(perm, action).map((permission) => ({
      by: 'permission' as const,
      permission,
    })),
    ...ofCeiling.map((permission) => ({ by: 'ceiling' as const, permission })),
  ]
}

/** @throws Fault forbidden */
export function requireAction(holder: PermissionHolder, action: PolicyAction): void {
  if (!may(holder, action))
    throw new Fault('forbidden', REFUSALS[action], { reason: 'rightMissing' })
}

/** Whether the holder may see and manage what belongs to `userId`: the owner and administrators may. */
export function mayManage(
  holder: PermissionHolder & Pick<Actor, 'id'>,
  userId: number | undefined,
): boolean {
  return holder.id === userId || may(holder, 'administer')
}

/** @throws Fault forbidden if the permission is missing; administrators hold all */
export function requirePermission(
  { perm, ceiling }: PermissionHolder,
  permission: Permission,
): void {
  const rights = ceiling ? [perm, ceiling.permissions] : [perm]
  if (rights.every((held) => held.admin || held[permission])) return
  throw new Fault('forbidden', 'You do not have permission to do this.', { reason: 'rightMissing' })
}

/** Which paths an actor may see, by rules and hidden dotfiles (docs/decisions.md 5 and 6). */
export function visiblePaths(actor: Actor, foldsCase: boolean): PathPredicate {
  return onAllNames(actor, isVisibleTo(actor, foldsCase))
}

/**
 * Which folders an actor may list: those that it may see, and denied ones on the way to a folder that a rule allows by
 * its path (docs/decisions.md, "Folders that lead to an allowed one are listed").
 */
export function listedFolders(actor: Actor, foldsCase: boolean): PathPredicate {
  const isVisible = isVisibleTo(actor, foldsCase)
  const asCompared = (path: TreePath) => (foldsCase ? caselessText(path) : path)
  const leading = new Set<string>()
  for (const { allow, regex, path } of actor.rules) {
    if (!allow || regex || !path.startsWith('/')) continue
    const target = parsePath(path)
    if (!isVisible(target)) continue
    for (let at = target; at !== ROOT; ) {
      at = parentPath(at)
      leading.add(asCompared(at))
    }
  }
  return onAllNames(actor, (path) => isVisible(path) || leading.has(asCompared(path)))
}

/** Which paths the rules allow an actor, hidden or not. */
export function allowedPaths(actor: Actor, foldsCase: boolean): PathPredicate {
  return onAllNames(actor, compileRules(actor.rules, foldsCase))
}

/** As `visiblePaths`, for paths as they are written in rules. */
function isVisibleTo({ rules, hideDotfiles }: Actor, foldsCase: boolean): PathPredicate {
  const isAllowed = compileRules(rules, foldsCase)
  return hideDotfiles ? (path) => isAllowed(path) && !isHidden(path) : isAllowed
}

/**
 * Applies a predicate to a path as it is written in rules, once for each folder of `rulesFrom`. This is called for each
 * name of a listing, so for the root a path is used unchanged; only a long path is joined, which checks its depth.
 */
function onAllNames({ rulesFrom }: Actor, predicate: PathPredicate): PathPredicate {
  const isShort = (path: TreePath) => path.length < 2 * DEPTH_MAX
  const atRoot = rulesFrom.every((root) => root === ROOT)
  const onAll = (path: TreePath) => rulesFrom.every((root) => predicate(joinPath(root, path)))
  return atRoot ? (path) => (isShort(path) ? predicate(path) : onAll(path)) : onAll
}

/** Whether a segment begins with a dot, which hides the whole path (docs/decisions.md 6). */
export function isHidden(path: TreePath): boolean {
  return segmentsOf(path).some((name) => name.startsWith('.'))
}
