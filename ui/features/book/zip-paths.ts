/** URLs inside a book, which is a tree of files in an archive. */

/** Resolves `href` in the file `from`: without query and fragment, and never above the root. */
export function resolveInBook(from: string, href: string): string {
  const path = decode(href.replace(/[?#].*$/s, ''))
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : ''
  const segments: string[] = []
  for (const segment of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') segments.pop()
    else segments.push(segment)
  }
  return segments.join('/')
}

/** The part after `#`; empty if there is none. */
export function fragmentOf(href: string): string {
  const index = href.indexOf('#')
  return index < 0 ? '' : decode(href.slice(index + 1))
}

/** Whether a URL points outside of the book. */
export function isExternal(href: string): boolean {
  return /^[a-z][a-z\d+.-]*:|^\/\//i.test(href.trim())
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
