/**
 * The terminal library creates style elements and sets style attributes as text; the Content-Security-Policy refuses
 * both (docs/decisions.md 18), and the library does not support a nonce. After the first call, each style element
 * that is created on this page gets the page's nonce, and a span sets its style as properties, which the policy
 * allows.
 */
import { pageNonce } from '#ui/lib/page/page.ts'

export function allowTerminalStyles(): void {
  if (Object.hasOwn(document, 'createElement')) return
  const create = document.createElement.bind(document)
  Object.defineProperty(document, 'createElement', {
    configurable: true,
    value(name: string, options?: ElementCreationOptions) {
      const element = create(name, options)
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
