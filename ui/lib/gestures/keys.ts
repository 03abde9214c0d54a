/**
 * Key combinations as text: `Ctrl+Shift+F`, `Delete`, `F2`. On a Mac, `Ctrl` means the Command key; its Control key is
 * accepted too, except in text (`isTextCommand`).
 */

/** Whether this is a device of Apple, whose keyboard has a Command key. */
const IS_APPLE = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '')

/**
 * The key combination of a keydown event, in the spelling of the table of actions. `Shift` is only included for keys
 * with a name, and together with Ctrl: of other keys it is already part of the typed character.
 */
export function keysOf(event: KeyboardEvent): string {
  const key = event.key === ' ' ? 'Space' : event.key
  const printable = [...key].length === 1
  const command = event.ctrlKey || event.metaKey
  return [
    command ? 'Ctrl' : '',
    event.altKey ? 'Alt' : '',
    event.shiftKey && (!printable || command) ? 'Shift' : '',
    printable ? key.toUpperCase() : key,
  ]
    .filter((part) => part !== '')
    .join('+')
}

/** Whether the system edits text with these keys: on a Mac, Control with K deletes to the end of the line. */
export function isTextCommand(event: KeyboardEvent, isApple = IS_APPLE): boolean {
  return isApple && event.ctrlKey && !event.metaKey
}

/** A combination as the labels on the user's keyboard: `Ctrl F`, on a Mac `⌘F`. */
export function keyLabel(keys: string, isApple = IS_APPLE): string {
  const parts = splitKeys(keys)
  const signs = parts.map(
    (part) => (isApple ? APPLE_SIGNS[part] : undefined) ?? SHORT[part] ?? part,
  )
  return signs.join(isApple ? '' : ' ')
}

/** A combination in the syntax of `aria-keyshortcuts`. */
export function ariaKeys(keys: string, isApple = IS_APPLE): string {
  const names: Record<string, string> = { Ctrl: isApple ? 'Meta' : 'Control', '+': 'Plus' }
  return splitKeys(keys)
    .map((part) => names[part] ?? part)
    .join('+')
}

/** The labels on a Mac that differ from the names of the keys. */
const APPLE_SIGNS: Record<string, string> = { Ctrl: '⌘', Shift: '⇧', Alt: '⌥', Delete: '⌦' }
/** The labels on every system that differ from the names of the keys. */
const SHORT: Record<string, string> = {
  Delete: 'Del',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}

function splitKeys(keys: string): string[] {
  return keys === '+' ? ['+'] : keys.split('+')
}
