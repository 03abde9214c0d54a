/** Text that is typed while the code of an overlay is loading: without this, its first characters would be lost. */

let typed = ''
let collecting: AbortController | undefined

/**
 * Collects typed characters until `takeTypedEarly`. The page does not receive these keys.
 *
 * @param onEscape called if the user presses Escape instead
 */
export function collectTyping(onEscape: () => void): void {
  takeTypedEarly()
  collecting = new AbortController()
  const { signal } = collecting
  const listener = (event: KeyboardEvent) => collect(event, onEscape)
  addEventListener('keydown', listener, { capture: true, signal })
}

/** @returns the text typed so far, which ends with a line break if Enter was pressed; nothing more is collected */
export function takeTypedEarly(): string {
  collecting?.abort()
  const text = typed
  typed = ''
  return text
}

function collect(event: KeyboardEvent, onEscape: () => void): void {
  const { key, ctrlKey, altKey, metaKey } = event
  // Ctrl and Alt together are AltGr, which types characters.
  const isCharacter = [...key].length === 1 && ctrlKey === altKey && !metaKey
  if (key === 'Escape') onEscape()
  else if (key === 'Backspace') typed = typed.slice(0, -1)
  else if (key === 'Enter') typed += '\n'
  else if (isCharacter) typed += key
  else return
  event.preventDefault()
  event.stopImmediatePropagation()
}
