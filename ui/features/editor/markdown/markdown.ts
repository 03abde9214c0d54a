/** Renders Markdown to sanitized HTML: it runs no scripts and requests nothing from other hosts. */
import createPurifier, { type Config, type DOMPurify } from 'dompurify'
import { Marked } from 'marked'
import { filesUrl, withBase } from '#ui/lib/page/location.ts'
import { rawUrl } from '#ui/lib/urls/content-urls.ts'
import { parentPath, parsePath, type TreePath } from '#wire/paths.ts'
import { Footnotes, NOTE } from './footnotes.ts'
import { type FrontMatter, frontMatterOf } from './front-matter.ts'
import { MATH, mathSyntax } from './math-source.ts'

/** The HTML that a text may contain: text structure, links, pictures, tables. */
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
  // An author may also write this attribute to get a formula, as with the `$` syntax.
  ADD_ATTR: [MATH, NOTE],
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}

/** On a link: the URL of the app that a click opens without leaving the app. */
export const PAGE_URL_ATTRIBUTE = 'data-page-url'
/** On a heading: the name of its section. On a link: the name of the section that a click shows. */
export const SECTION_ATTRIBUTE = 'data-section'

/** Pictures as data URLs inside the text. */
const INLINE_PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i
const HAS_SCHEME = /^[a-z][a-z\d+.-]*:|^\/\//i
const EXTERNAL = /^(?:https?:|mailto:|tel:)/i

let purifier: DOMPurify | undefined

/** Returns the URLs for the paths that a text refers to. */
export interface TreeUrls {
  /** The URL of the content of a picture. */
  picture(path: TreePath): string
  /** A URL of the app, without the base path. */
  page(path: TreePath, asFolder: boolean): string
}

const OWN_URLS: TreeUrls = { picture: (path) => rawUrl(path, true), page: filesUrl }

/** Renders and sanitizes the text of the file at `path`; relative URLs are resolved in the tree. */
export function renderMarkdown(source: string, path: TreePath, urls = OWN_URLS): DocumentFragment {
  // The element that DOMPurify parses into belongs to an inert document: nothing loads from it.
  purifier ??= createPurifier(window)
  const matter = frontMatterOf(source)
  const html = htmlOf(source.slice(matter?.end ?? 0))
  const fragment = purifier.sanitize(html, { ...ALLOWED, RETURN_DOM_FRAGMENT: true })
  const folder = parentPath(path)
  for (const image of fragment.querySelectorAll('img')) rewriteImage(image, folder, urls)
  for (const link of fragment.querySelectorAll('a')) rewriteLink(link, path, urls)
  for (const box of fragment.querySelectorAll('input')) labelCheckbox(box)
  markHeadings(fragment)
  if (matter) fragment.prepend(propertyTable(fragment.ownerDocument, matter))
  return fragment
}

function htmlOf(source: string): string {
  const notes = new Footnotes()
  const marked = new Marked({ gfm: true, async: false }, mathSyntax, notes.syntax)
  const tokens = marked.lexer(source)
  notes.collect(tokens, (text) => marked.lexer(text))
  const html = marked.parser(tokens)
  return html + notes.render((text) => marked.parser(text))
}

function propertyTable(document: Document, { properties }: FrontMatter): HTMLElement {
  const table = document.createElement('table')
  table.className = 'Markdown__properties'
  for (const { name, value } of properties) {
    const row = table.insertRow()
    const head = document.createElement('th')
    head.scope = 'row'
    head.textContent = name
    row.append(head)
    row.insertCell().textContent = value
  }
  return table
}

/**
 * Shows pictures of the user's files. Pictures from other hosts become links, so that they are only requested after a
 * click.
 */
function rewriteImage(image: HTMLImageElement, folder: TreePath, { picture }: TreeUrls): void {
  const source = image.getAttribute('src')?.trim() ?? ''
  const treePath = resolvePath(source, folder)
  image.loading = 'lazy'
  if (treePath) image.setAttribute('src', picture(treePath))
  else if (!INLINE_PICTURE.test(source)) {
    const link = image.ownerDocument.createElement('a')
    link.setAttribute('href', source)
    link.textContent = image.alt || source
    image.replaceWith(link)
  }
}

/** Labels the checkbox of a task list with the text of the task. It only shows whether the task is done. */
function labelCheckbox(box: HTMLInputElement): void {
  box.disabled = true
  box.setAttribute('aria-label', box.closest('li')?.textContent?.trim() ?? '')
}

/** @param path of the text */
function rewriteLink(link: HTMLAnchorElement, path: TreePath, { page }: TreeUrls): void {
  const target = link.getAttribute('href')?.trim() ?? ''
  const section = /#.*/s.exec(target)?.[0] ?? ''
  const treePath = target.startsWith('#') ? path : resolvePath(target, parentPath(path))
  link.removeAttribute('href')
  if (treePath === path && section !== '') {
    link.setAttribute('href', withBase(page(path, false)) + section)
    link.setAttribute(SECTION_ATTRIBUTE, sectionOf(section))
  } else if (treePath) {
    const url = page(treePath, /\/(?:[?#]|$)/.test(target)) + section
    link.setAttribute('href', withBase(url))
    link.setAttribute(PAGE_URL_ATTRIBUTE, url)
  } else if (EXTERNAL.test(target)) {
    link.href = target
    link.target = '_blank'
    link.rel = 'noopener noreferrer nofollow'
  }
}

/** @returns the path that a relative URL refers to; undefined for any other URL */
function resolvePath(url: string, folder: TreePath): TreePath | undefined {
  if (url === '' || url.startsWith('#') || HAS_SCHEME.test(url)) return undefined
  const bare = decode(url.replace(/[?#].*$/s, ''))
  if (bare.includes('\0')) return undefined
  return parsePath(bare.startsWith('/') ? bare : `${folder}/${bare}`)
}

/** @returns the name of the section in the fragment of a URL: `#Two%20words` → `two-words` */
export function sectionOf(fragment: string): string {
  return slugOf(decode(fragment.slice(1)))
}

/** Marks headings, footnotes and their references with the section names that links use. */
function markHeadings(fragment: DocumentFragment): void {
  for (const note of fragment.querySelectorAll(`[${NOTE}]`)) {
    note.setAttribute(SECTION_ATTRIBUTE, note.getAttribute(NOTE) ?? '')
    note.removeAttribute(NOTE)
  }
  const counts = new Map<string, number>()
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const slug = slugOf(heading.textContent ?? '')
    const earlier = counts.get(slug) ?? 0
    counts.set(slug, earlier + 1)
    heading.setAttribute(SECTION_ATTRIBUTE, earlier === 0 ? slug : `${slug}-${earlier}`)
  }
}

function slugOf(text: string): string {
  return text
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
