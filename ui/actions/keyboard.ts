/** The keydown listener of the application. */
import { isTextCommand, keysOf } from '#ui/lib/gestures/keys.ts'
import { type ActionContext, actionContext } from '#ui/state/action-context.ts'
import { overlay } from '#ui/state/dialogs/overlay.ts'
import { prompts } from '#ui/state/dialogs/prompts.ts'
import { selection, selectOnly } from '#ui/state/folder/selection.ts'
import { actionOf, actions, perform } from './registry.ts'
import type { Action } from './types.ts'
import { pasteFiles } from './uploads.ts'

/** Runs actions by their keys until the returned function is called. */
export function listenToKeys(): () => void {
  const listening = new AbortController()
  const { signal } = listening
  addEventListener('keydown', onKeyDown, { signal })
  addEventListener('paste', onPaste, { signal })
  // If the browser sent no paste event, the key event pastes.
  addEventListener('keyup', pasteItems, { signal })
  return () => listening.abort()
}

/** @returns the action of these keys; undefined if none or several match */
export function findAction(keys: string, context: ActionContext): Action | undefined {
  const matches = actions.filter((action) => action.keys?.includes(keys) && action.when(context))
  return matches.length === 1 ? matches[0] : undefined
}

/** @returns the action of the keys that may run while text is typed; undefined for keys that type or edit text */
export function findTextAction(event: KeyboardEvent, context: ActionContext): Action | undefined {
  const typesCharacter =
    [...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey
  if (typesCharacter || isTextCommand(event)) return undefined
  const action = findAction(keysOf(event), context)
  return action?.inText ? action : undefined
}

function onKeyDown(event: KeyboardEvent): void {
  // Chrome sends keydown events without a key when it fills in a form.
  if (event.key === undefined) return
  if (event.defaultPrevented || event.isComposing || isInOverlay(event.target)) return
  if (ACTIVATION_KEYS.has(event.key) && isPressable(event.target)) return
  if (isGrid(event.target)) selectFocused(keysOf(event))
  const action = isText(event.target)
    ? findTextAction(event, actionContext())
    : findAction(keysOf(event), actionContext())
  if (!action) return
  // The paste event with the content follows the key event.
  if (action.id === 'paste') {
    isPasting = true
    return
  }
  event.preventDefault()
  void perform(action)
}

/** If nothing is selected, selects the entry that the keyboard focused, so that an action of these keys applies to it. */
function selectFocused(keys: string): void {
  const context = actionContext()
  const { page, targets, cursorEntry: entry } = context
  if (page !== 'folder' || targets.length > 0 || !entry || !selection.isByKeyboard) return
  if (findAction(keys, { ...context, targets: [entry] })?.onFocused) selectOnly(entry)
}

/** Whether the target is the listing, or nothing has the focus. */
function isGrid(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('[role="grid"], body')
}

/** Whether the paste keys were pressed and neither the paste event nor the keyup event has followed yet. */
let isPasting = false

/** Uploads files of the system clipboard; if it has none, pastes the entries that were copied in filemgr. */
function onPaste(event: ClipboardEvent): void {
  if (event.defaultPrevented || isInOverlay(event.target) || isText(event.target)) return
  const files = [...(event.clipboardData?.files ?? [])]
  if (files.length > 0 && pasteFiles(files, actionContext())) {
    isPasting = false
    event.preventDefault()
  } else pasteItems()
}

/** Runs the paste action if the paste keys were pressed. */
function pasteItems(): void {
  if (!isPasting) return
  isPasting = false
  void perform(actionOf('paste'))
}

/** Keys that activate the focused button or link. */
const ACTIVATION_KEYS = new Set(['Enter', ' '])

function isPressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, a, summary') !== null
}

/** Whether a dialog or menu is over the page: keys belong to it. */
function isInOverlay(target: EventTarget | null): boolean {
  const isCovered = prompts.stack.length > 0 || overlay.open !== null
  return (
    isCovered || (target instanceof HTMLElement && target.closest('dialog, [popover]') !== null)
  )
}

/** Whether the target is a field for text: most keys belong to the text. */
function isText(target: EventTarget | null): boolean {
  const typing = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]'
  return target instanceof HTMLElement && target.closest(typing) !== null
}
