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
