/** The rights in the shown folder, and with the selected entries. A folder that only leads to an allowed one is not changed, copied or shared. */
import type { ActionContext } from '#ui/state/action-context.ts'
import type { PolicyAction } from '#wire/permissions.ts'

type Rights = Pick<ActionContext, 'may' | 'isListOnly' | 'targets'>

/** Whether the user may do this in the folder, such as create something in it. */
export function mayInFolder({ may, isListOnly }: Rights, action: PolicyAction): boolean {
  return may(action) && !isListOnly
}

/** Whether the user may do this with each target, or without targets with the folder. */
export function mayWithTargets(
  { may, isListOnly, targets }: Rights,
  action: PolicyAction,
): boolean {
  const isDenied = targets.length > 0 ? targets.some(({ listOnly }) => listOnly) : isListOnly
  return may(action) && !isDenied
}
