/**
 * A real field in the place of one whose code is still loading: typed, pasted and composed text goes into it, and is taken
 * from there. It exists from the key or click that opens the overlay, so that nothing is lost, and phones open their
 * keyboard.
 */
interface EarlyField {
  element: HTMLInputElement
  /** The element that had the focus before. */
  opener: Element | null
  hasEnter: boolean
}

let field: EarlyField | undefined

/**
 * Shows the field until `takeEarlyText`.
 *
 * @param label its accessible name and placeholder
 * @param onEscape called if the user presses Escape
 */
export function showEarlyField(label: string, onEscape: () => void): void {
  takeEarlyText()
  const element = document.createElement('input')
  Object.assign(element, { className: 'EarlyField', type: 'text', autocomplete: 'off' })
  Object.assign(element, { placeholder: label, ariaLabel: label, spellcheck: false })
  element.autocapitalize = 'none'
  const current: EarlyField = { element, opener: document.activeElement, hasEnter: false }
  element.addEventListener('keydown', (event) => {
    // The page does not receive the keys.
    event.stopPropagation()
    if (event.isComposing) return
    if (event.key === 'Escape') onEscape()
    else if (event.key === 'Enter') current.hasEnter = true
  })
  element.addEventListener('paste', (event) => event.stopPropagation())
  element.addEventListener('compositionstart', () => {
    composition = Promise.withResolvers<void>()
  })
  element.addEventListener('compositionend', () => composition?.resolve())
  field = current
  document.body.append(element)
  element.focus({ preventScroll: true })
}

/** Removes the field. @returns its text, and whether Enter was pressed in it */
export function takeEarlyText(): { text: string; hasEnter: boolean } {
  if (!field) return { text: '', hasEnter: false }
  const { element, opener, hasEnter } = field
  const hadFocus = document.activeElement === element
  field = undefined
  composition = undefined
  element.remove()
  if (hadFocus && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
  return { text: element.value, hasEnter }
}

/** Resolves when no text is being composed in the field: an input method loses its text if the field loses the focus. */
export async function composedEarly(): Promise<void> {
  await composition?.promise
}

/** @returns the element that had the focus before the early field, if this is the early field; else the element itself */
export function openerOf(element: Element | null): Element | null {
  return element === field?.element ? (field?.opener ?? null) : element
}

let composition: PromiseWithResolvers<void> | undefined
