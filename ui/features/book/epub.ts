/** Reads EPUB (versions 2 and 3): chapters and table of contents. It renders nothing. */

import { type Unzipped, unzipSync } from 'fflate'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { fragmentOf, isExternal, resolveInBook } from './zip-paths.ts'

export interface BookSection {
  title: string
  /** The chapter's number, from 0. */
  chapter: number
  /** The element in the chapter; empty for its beginning. */
  fragment: string
  /** The number of sections that contain this one. */
  depth: number
}

export interface Book {
  title: string
  author: string
  language: string
  /** The files of the chapters, in reading order. */
  chapters: readonly string[]
  contents: readonly BookSection[]
  /** @returns the file as text; undefined if the book does not contain it */
  text(path: string): string | undefined
  /** @returns a file with its type in the manifest, such as a picture; undefined if the book does not contain it */
  file(path: string): { bytes: Uint8Array; type: string } | undefined
}

const CONTAINER = 'META-INF/container.xml'

/** @throws Error if the bytes are not a readable book */
export function openBook(bytes: Uint8Array): Book {
  const files = unpack(bytes)
  const text = (path: string) => {
    const bytes = Object.hasOwn(files, path) ? files[path] : undefined
    return bytes && new TextDecoder().decode(bytes)
  }
  const packagePath = parseXml(text(CONTAINER)).querySelector('rootfile')?.getAttribute('full-path')
  if (!packagePath) throw new Error('The archive names no book.')
  const opf = parseXml(text(packagePath))
  const manifest = readManifest(opf, packagePath)
  const chapters = readSpine(opf, manifest)
  if (chapters.length === 0) throw new Error('The book has no chapters.')
  const typeOf = new Map([...manifest.values()].map(({ path, type }) => [path, type]))
  return {
    title: textOf(opf, 'title'),
    author: textOf(opf, 'creator'),
    language: textOf(opf, 'language'),
    chapters,
    contents: readContents(opf, manifest, chapters, text),
    text,
    file(path) {
      const content = Object.hasOwn(files, path) ? files[path] : undefined
      return content && { bytes: content, type: typeOf.get(path) ?? '' }
    },
  }
}

interface Item {
  path: string
  type: string
  properties: string
}

function unpack(bytes: Uint8Array): Unzipped {
  let total = 0
  return unzipSync(bytes, {
    filter({ originalSize }) {
      total += originalSize
      if (total > ON_DEMAND_LIMITS.bookUnpackedMaxBytes) throw new Error('The book is too large.')
      return true
    },
  })
}

function parseXml(text: string | undefined): Document {
  if (text === undefined) throw new Error('A part of the book is missing.')
  const parsed = new DOMParser().parseFromString(text.replace(/^\uFEFF/, ''), 'application/xml')
  if (parsed.querySelector('parsererror')) throw new Error('A part of the book cannot be parsed.')
  return parsed
}

function readManifest(opf: Document, packagePath: string): Map<string, Item> {
  return new Map(
    elements(opf, 'item').map((item) => [
      item.getAttribute('id') ?? '',
      {
        path: resolveInBook(packagePath, item.getAttribute('href') ?? ''),
        type: item.getAttribute('media-type') ?? '',
        properties: item.getAttribute('properties') ?? '',
      },
    ]),
  )
}

function readSpine(opf: Document, manifest: Map<string, Item>): string[] {
  return elements(opf, 'itemref').flatMap((ref) => {
    const item = manifest.get(ref.getAttribute('idref') ?? '')
    return item && /html/.test(item.type) ? [item.path] : []
  })
}

/** Version 3 has a navigation document, version 2 an NCX file; without either the chapters are listed. */
function readContents(
  opf: Document,
  manifest: Map<string, Item>,
  chapters: readonly string[],
  text: Book['text'],
): BookSection[] {
  const items = [...manifest.values()]
  const nav = items.find(({ properties }) => properties.split(/\s+/).includes('nav'))
  const ncxId = opf.querySelector('spine')?.getAttribute('toc') ?? ''
  const ncx = manifest.get(ncxId) ?? items.find(({ type }) => type === 'application/x-dtbncx+xml')
  const fromNav = (nav && tryRead(() => readNav(nav.path, chapters, text))) ?? []
  if (fromNav.length > 0) return fromNav
  const fromNcx = (ncx && tryRead(() => readNcx(ncx.path, chapters, text))) ?? []
  if (fromNcx.length > 0) return fromNcx
  return chapters.map((_, chapter) => ({ title: '', chapter, fragment: '', depth: 0 }))
}

function readNav(path: string, chapters: readonly string[], text: Book['text']): BookSection[] {
  const page = parseXml(text(path))
  const navs = elements(page, 'nav')
  const toc = navs.find((nav) => /\btoc\b/.test(nav.getAttribute('epub:type') ?? '')) ?? navs[0]
  if (!toc) return []
  return elements(toc, 'a').flatMap((link) => {
    const depth = ancestors(link, toc).filter(({ localName }) => localName === 'ol').length - 1
    const href = link.getAttribute('href') ?? ''
    return sectionOf(link.textContent ?? '', path, href, Math.max(0, depth), chapters)
  })
}

function readNcx(path: string, chapters: readonly string[], text: Book['text']): BookSection[] {
  const ncx = parseXml(text(path))
  const map = elements(ncx, 'navMap')[0]
  if (!map) return []
  return elements(map, 'navPoint').flatMap((point) => {
    const [label] = elements(point, 'text')
    const [content] = elements(point, 'content')
    const depth = ancestors(point, map).filter(({ localName }) => localName === 'navPoint').length
    const href = content?.getAttribute('src') ?? ''
    return sectionOf(label?.textContent ?? '', path, href, depth, chapters)
  })
}

function sectionOf(
  title: string,
  from: string,
  href: string,
  depth: number,
  chapters: readonly string[],
): BookSection[] {
  if (isExternal(href)) return []
  const chapter = chapters.indexOf(resolveInBook(from, href))
  if (chapter < 0) return []
  const text = title.replace(/\s+/g, ' ').trim()
  return [
    {
      title: text,
      chapter,
      fragment: fragmentOf(href),
      depth: Math.min(depth, ON_DEMAND_LIMITS.contentsDepthMax),
    },
  ]
}

/** @returns all elements with this local name below `within`, with any namespace prefix */
function elements(within: Document | Element, name: string): Element[] {
  return [...within.getElementsByTagName('*')].filter(({ localName }) => localName === name)
}

function ancestors(element: Element, root: Element): Element[] {
  const list: Element[] = []
  for (let parent = element.parentElement; parent && parent !== root; parent = parent.parentElement)
    list.push(parent)
  return list
}

/** The text of Dublin Core elements, such as `dc:title`. */
function textOf(opf: Document, name: string): string {
  return elements(opf, name)[0]?.textContent?.trim() ?? ''
}

/** @returns undefined if `read` throws: a broken table of contents must not prevent reading */
function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
