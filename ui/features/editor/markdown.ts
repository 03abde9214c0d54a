/** Markdown as a piece of a page: nothing in it runs, and nothing is fetched from elsewhere. */
import createPurifier, { type Config, type DOMPurify } from 'dompurify'
import { Marked } from 'marked'
import { rawUrl } from '#ui/lib/links.ts'
import { filesUrl, withBase } from '#ui/lib/location.ts'
import { parentPath, parsePath, type TreePath } from '#wire/paths.ts'
import { MATH, mathSyntax } from './math-source.ts'

/** What of HTML a text may hold: words and their structure, links, pictures, tables. */
const ALLOWED: Config = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: [
    'area',
    'audio',
    'button',
    'form',
    'map',
    'picture',
    'select',
    'source',
    'style',
    'textarea',
    'track',
    'video',
  ],
  FORBID_ATTR: ['background', 'class', 'id', 'name', 'ping', 'poster', 'srcset', 'style', 'target'],
  ALLOW_DATA_ATTR: false,
  // An author who writes it gets a formula, as by the signs.
  ADD_ATTR: [MATH],
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}

/** Where a click inside the text leads; the page handles both itself. */
export const GOES_TO = 'data-goes-to'
export const SECTION = 'data-section'

/** Pictures inside the text itself. */
const INLINE_PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i
const HAS_SCHEME = /^[a-z][a-z\d+.-]*:|^\/\//i
const LEADS_OUT = /^(?:https?:|mailto:|tel:)/i

const marked = new Marked({ gfm: true, async: false }, mathSyntax)
let purifier: DOMPurify | undefined

/** The text of the file at `path`, rendered and cleaned; its relative addresses lead into the tree. */
export function renderMarkdown(source: string, path: TreePath): DocumentFragment {
  // The element that DOMPurify parses into belongs to an inert document: nothing loads from it.
  purifier ??= createPurifier(window)
  const html = marked.parse(source, { async: false })
  const fragment = purifier.sanitize(html, { ...ALLOWED, RETURN_DOM_FRAGMENT: true })
  const folder = parentPath(path)
  for (const image of fragment.querySelectorAll('img')) tameImage(image, folder)
  for (const link of fragment.querySelectorAll('a')) tameLink(link, folder)
  for (const box of fragment.querySelectorAll('input')) tameBox(box)
  nameSections(fragment)
  return fragment
}

/** Pictures of the tree are shown; those from elsewhere become links, which nobody follows unasked. */
function tameImage(image: HTMLImageElement, folder: TreePath): void {
  const source = image.getAttribute('src')?.trim() ?? ''
  const inside = pathFrom(source, folder)
  image.loading = 'lazy'
  if (inside) image.setAttribute('src', rawUrl(inside, true))
  else if (!INLINE_PICTURE.test(source)) {
    const link = image.ownerDocument.createElement('a')
    link.setAttribute('href', source)
    link.textContent = image.alt || source
    image.replaceWith(link)
  }
}

/** A task's box shows whether it is done, and is called by its task. */
function tameBox(box: HTMLInputElement): void {
  box.disabled = true
  box.setAttribute('aria-label', box.closest('li')?.textContent?.trim() ?? '')
}

function tameLink(link: HTMLAnchorElement, folder: TreePath): void {
  const target = link.getAttribute('href')?.trim() ?? ''
  const inside = pathFrom(target, folder)
  link.removeAttribute('href')
  if (target.startsWith('#')) {
    link.setAttribute('href', withBase(filesUrl(folder, true)) + target)
    link.setAttribute(SECTION, slugOf(decode(target.slice(1))))
  } else if (inside) {
    const asFolder = /\/(?:[?#]|$)/.test(target)
    link.setAttribute('href', withBase(filesUrl(inside, asFolder)))
    link.setAttribute(GOES_TO, filesUrl(inside, asFolder))
  } else if (LEADS_OUT.test(target)) {
    link.href = target
    link.target = '_blank'
    link.rel = 'noopener noreferrer nofollow'
  }
}

/** The place in the tree that an address means; undefined for one that leaves it. */
function pathFrom(address: string, folder: TreePath): TreePath | undefined {
  if (address === '' || address.startsWith('#') || HAS_SCHEME.test(address)) return undefined
  const bare = decode(address.replace(/[?#].*$/s, ''))
  if (bare.includes('\0')) return undefined
  return parsePath(bare.startsWith('/') ? bare : `${folder}/${bare}`)
}

/** Headings get the names that links within a text use. */
function nameSections(fragment: DocumentFragment): void {
  const counts = new Map<string, number>()
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const slug = slugOf(heading.textContent ?? '')
    const earlier = counts.get(slug) ?? 0
    counts.set(slug, earlier + 1)
    heading.setAttribute(SECTION, earlier === 0 ? slug : `${slug}-${earlier}`)
  }
}

function slugOf(words: string): string {
  return words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
