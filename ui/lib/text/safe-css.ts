/**
 * Removes fonts, imports and images from styles, because each causes a request: opening an
 * untrusted document must send nothing to any server. Escapes are removed first, because `u\rl(` means `url(`.
 * Each removed part leaves a space, so that the text around it does not join to a new rule.
 */
export function withoutUrls(css: string): string {
  return css
    .replace(/\\/g, '')
    .replace(/\/\*.*?(?:\*\/|$)/gs, ' ')
    .replace(/@import[^;]*;?/gi, ' ')
    .replace(/@font-face\s*(?:\{[^}]*\}?)?/gi, ' ')
    .replace(/(?:url|image-set|image|src)\s*\([^)]*\)?/gi, 'none')
}

/** The attribute with the checked style of an element. Under the page's Content-Security-Policy only a script may apply it. */
export const CHECKED_STYLE = 'data-style'

/** Moves inline styles, without anything that causes a request, into that attribute. */
export function checkStyles(root: ParentNode): void {
  for (const styled of root.querySelectorAll('[style]')) {
    styled.setAttribute(CHECKED_STYLE, withoutUrls(styled.getAttribute('style') ?? ''))
    styled.removeAttribute('style')
  }
}
