/** Addresses inside a book, which is a tree of files in an archive. */

/** The file that `href` of the file `from` means: without query and fragment; never above the top. */
export function resolveInBook(from: string, href: string): string {
  const bare = decode(href.replace(/[?#].*$/s, ''))
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : ''
  const segments: string[] = []
  for (const segment of (bare.startsWith('/') ? bare : `${folder}/${bare}`).split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') segments.pop()
    else segments.push(segment)
  }
  return segments.join('/')
}

/** What follows `#`; empty for nothing. */
export function fragmentOf(href: string): string {
  const at = href.indexOf('#')
  return at < 0 ? '' : decode(href.slice(at + 1))
}

/** Whether an address leads out of the book. */
export function leadsOut(href: string): boolean {
  return /^[a-z][a-z\d+.-]*:|^\/\//i.test(href.trim())
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
