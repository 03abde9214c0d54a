/** Sanitizes one chapter of a book: the result contains no scripts and nothing that causes a request. */
import createPurifier, { type Config, type DOMPurify } from 'dompurify'
import { checkStyles, withoutUrls } from '#ui/lib/text/safe-css.ts'
import type { Book } from './epub.ts'
import { fragmentOf, isExternal, resolveInBook } from './zip-paths.ts'

const ALLOWED: Config = {
  USE_PROFILES: { html: true, svg: true, mathMl: true },
  FORBID_TAGS: ['area', 'audio', 'button', 'form', 'input', 'map', 'picture', 'select', 'source'],
  FORBID_ATTR: ['background', 'name', 'ping', 'poster', 'srcset', 'target'],
  ADD_ATTR: ['xlink:href'],
  ALLOW_DATA_ATTR: false,
  WHOLE_DOCUMENT: false,
}

/** The target of a link within the book: the chapter's number and the fragment. */
export const CHAPTER = 'data-chapter'
export const FRAGMENT = 'data-fragment'

/** The media types of pictures that a chapter may show, by the extension of the file. */
const PICTURE_TYPES: Record<string, string> = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
}

export interface Chapter {
  body: DocumentFragment
  /** The text direction of the chapter; empty if it names none. */
  direction: string
  /** The book's own styles that this chapter uses, without anything that causes a request. */
  styles: string[]
  /** Object URLs of pictures, which must be revoked when the chapter is left. */
  pictureUrls: string[]
}

let purifier: DOMPurify | undefined

/** Prepares a chapter of the book for display. */
export function readChapter(book: Book, path: string): Chapter {
  purifier ??= createPurifier(window)
  const source = book.text(path) ?? ''
  // Parsed only to find its style sheets; a document without a window sends no requests and runs no scripts.
  const page = new DOMParser().parseFromString(source, 'text/html')
  const body = purifier.sanitize(page.body.innerHTML, { ...ALLOWED, RETURN_DOM_FRAGMENT: true })
  const pictureUrls: string[] = []
  for (const image of body.querySelectorAll('img, image')) {
    insertPicture(image, book, path, pictureUrls)
  }
  for (const link of body.querySelectorAll('a')) rewriteLink(link, book, path)
  checkStyles(body)
  const direction = page.body.dir || page.documentElement.dir
  return { body, direction, styles: stylesOf(page, book, path), pictureUrls }
}

function insertPicture(image: Element, book: Book, from: string, pictureUrls: string[]): void {
  const names = ['src', 'href', 'xlink:href']
  const source = names.map((name) => image.getAttribute(name)).find((value) => value) ?? ''
  for (const name of names) image.removeAttribute(name)
  if (isExternal(source)) return
  const path = resolveInBook(from, source)
  const type = PICTURE_TYPES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]
  const file = book.file(path)
  if (!file || !type) return
  const url = URL.createObjectURL(new Blob([file.bytes.slice()], { type }))
  pictureUrls.push(url)
  image.setAttribute(image.localName === 'img' ? 'src' : 'href', url)
}

function rewriteLink(link: HTMLAnchorElement, book: Book, from: string): void {
  const href = link.getAttribute('href') ?? ''
  link.removeAttribute('href')
  if (href === '') return
  if (isExternal(href)) {
    if (!/^https?:/i.test(href.trim())) return
    link.href = href
    return
  }
  const path = href.startsWith('#') ? from : resolveInBook(from, href)
  const chapter = book.chapters.indexOf(path)
  if (chapter < 0) return
  link.href = '#'
  link.setAttribute(CHAPTER, String(chapter))
  link.setAttribute(FRAGMENT, fragmentOf(href))
}

function stylesOf(page: Document, book: Book, path: string): string[] {
  return [...page.querySelectorAll('link[rel~="stylesheet"], style')].map((sheet) => {
    if (sheet.localName === 'style') return withoutUrls(sheet.textContent ?? '')
    const href = sheet.getAttribute('href') ?? ''
    return isExternal(href) ? '' : withoutUrls(book.text(resolveInBook(path, href)) ?? '')
  })
}
