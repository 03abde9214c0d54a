/** The one keydown listener. */
import { keysOf } from '#ui/lib/keys.ts'
import { prompts } from '#ui/state/prompts.ts'
import { type Situation, situation } from '#ui/state/situation.ts'
import { actions, perform } from './registry.ts'
import type { Action } from './types.ts'

/** Listens until the returned function is called. */
export function listenToKeys(): () => void {
  addEventListener('keydown', onKeyDown)
  return () => removeEventListener('keydown', onKeyDown)
}

/** The one action these keys mean now; undefined for none, and for more than one. */
export function findAction(keys: string, now: Situation): Action | undefined {
  const matches = actions.filter((action) => action.keys?.includes(keys) && action.when(now))
  return matches.length === 1 ? matches[0] : undefined
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isElsewhere(event.target)) return
  if (PRESSES.has(event.key) && isPressable(event.target)) return
  const action = findAction(keysOf(event), situation())
  if (!action) return
  event.preventDefault()
  void perform(action)
}

/** What presses the button or follows the link that has the focus. */
const PRESSES = new Set(['Enter', ' '])

function isPressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, a, summary') !== null
}

/** Keys belong to the text being typed, and to the dialog or menu on top. */
function isElsewhere(target: EventTarget | null): boolean {
  if (prompts.stack.length > 0) return true
  if (!(target instanceof HTMLElement)) return false
  const typing = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]'
  return target.closest(`${typing}, dialog, [popover]`) !== null
}
