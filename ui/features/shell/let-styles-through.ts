/**
 * The terminal's library makes style elements and sets style attributes as text; the page's policy
 * refuses both (docs/decisions.md 18), and the library knows no nonce. From the first call on, a style element
 * that is made on this page carries the page's nonce, and a span takes the text of its style as
 * properties, which no policy minds.
 */
import { pageNonce } from '#ui/lib/page.ts'

export function letStylesThrough(): void {
  if (Object.hasOwn(document, 'createElement')) return
  const make = document.createElement.bind(document)
  Object.defineProperty(document, 'createElement', {
    configurable: true,
    value(name: string, options?: ElementCreationOptions) {
      const element = make(name, options)
      if (element instanceof HTMLStyleElement) element.nonce = pageNonce()
      if (element instanceof HTMLSpanElement) element.setAttribute = setAttribute
      return element
    },
  })
}

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value
  else Element.prototype.setAttribute.call(this, name, value)
}
