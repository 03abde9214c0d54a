/** The one keydown listener. */
import { keysOf } from '#ui/lib/keys.ts'
import { type ActionContext, actionContext } from '#ui/state/action-context.ts'
import { overlay } from '#ui/state/overlay.ts'
import { prompts } from '#ui/state/prompts.ts'
import { actions, perform } from './registry.ts'
import type { Action } from './types.ts'

/** Listens until the returned function is called. */
export function listenToKeys(): () => void {
  addEventListener('keydown', onKeyDown)
  return () => removeEventListener('keydown', onKeyDown)
}

/** The one action these keys mean now; undefined for none, and for more than one. */
export function findAction(keys: string, context: ActionContext): Action | undefined {
  const matches = actions.filter((action) => action.keys?.includes(keys) && action.when(context))
  return matches.length === 1 ? matches[0] : undefined
}

/** The same while text is written: what writes something is part of the text. */
export function findTextAction(event: KeyboardEvent, context: ActionContext): Action | undefined {
  const writes = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
  const action = writes ? undefined : findAction(keysOf(event), context)
  return action?.inText ? action : undefined
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isElsewhere(event.target)) return
  if (PRESSES.has(event.key) && isPressable(event.target)) return
  const action = isText(event.target)
    ? findTextAction(event, actionContext())
    : findAction(keysOf(event), actionContext())
  if (!action) return
  event.preventDefault()
  void perform(action)
}

/** What presses the button or follows the link that has the focus. */
const PRESSES = new Set(['Enter', ' '])

function isPressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, a, summary') !== null
}

/** Keys belong to the dialog or menu on top. */
function isElsewhere(target: EventTarget | null): boolean {
  const isCovered = prompts.stack.length > 0 || overlay.open !== null
  return (
    isCovered || (target instanceof HTMLElement && target.closest('dialog, [popover]') !== null)
  )
}

/** Most keys belong to the text being typed. */
function isText(target: EventTarget | null): boolean {
  const typing = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]'
  return target instanceof HTMLElement && target.closest(typing) !== null
}
