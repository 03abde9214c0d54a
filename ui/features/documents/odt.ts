/** Renders ODT (OpenDocument 1.3) as one page: texts, headings, lists, tables, pictures, notes and links. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { DocumentProblem } from '#wire/formats/document-problem.ts'
import { firstNumberOf, OdtLists } from './odt-lists.ts'
import { cssOfStyle, type OdtStyles, readStyles } from './odt-styles.ts'
import { type SafePage, safePage } from './safe-page.ts'
import { type Parts, partText, unpack } from './unpack.ts'

/** The media types of pictures that are shown, by the extension of the file. */
const PICTURE_TYPES: Record<string, string> = {
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}

/** @throws DocumentProblem encrypted, tooLarge, broken */
export function renderOdt(bytes: Uint8Array): SafePage {
  const parts = unpack(bytes, ON_DEMAND_LIMITS.textXmlMaxBytes, (name) =>
    /^((content|styles)\.xml|META-INF\/manifest\.xml|Pictures\/[^/]+)$/.test(name),
  )
  if (partText(parts, 'META-INF/manifest.xml')?.includes('encryption-data')) {
    throw new DocumentProblem('encrypted')
  }
  const content = parseXml(partText(parts, 'content.xml') ?? '')
  const styles = partText(parts, 'styles.xml')
  const text = content.getElementsByTagName('office:text')[0]
  if (!text) throw new DocumentProblem('broken')
  if (text.getElementsByTagName('*').length > ON_DEMAND_LIMITS.documentElementsMax)
    throw new DocumentProblem('tooLarge')
  // An inert document: its elements request nothing and run nothing.
  const inert = document.implementation.createHTMLDocument('')
  const root = inert.createElement('div')
  const page = inert.createElement('section')
  page.className = 'odt'
  root.append(page)
  const styled = [...(styles ? [parseXml(styles)] : []), content]
  new Renderer(inert, parts, readStyles(styled), new OdtLists(styled)).appendContent(page, text)
  return safePage(root, [])
}

function parseXml(xml: string): Document {
  // The entities of a DTD could expand to an unlimited length.
  if (/<!DOCTYPE/i.test(xml)) throw new DocumentProblem('broken')
  const parsed = new DOMParser().parseFromString(xml, 'application/xml')
  if (parsed.querySelector('parsererror')) throw new DocumentProblem('broken')
  return parsed
}

/** The HTML element for an element of the document, and the family of its style. */
const HTML_ELEMENTS: Record<string, [tag: string, family: string] | undefined> = {
  // A `p` would end at the first block in it, such as the content of a note or of a text box.
  'text:p': ['div', 'paragraph'],
  'text:span': ['span', 'text'],
  'text:list-item': ['li', ''],
  'text:list-header': ['li', ''],
  'table:table': ['table', ''],
  'table:table-row': ['tr', ''],
  'table:table-cell': ['td', 'table-cell'],
}

/** Elements that are not part of the text. */
const HIDDEN = new Set([
  'office:annotation',
  'office:forms',
  'svg:desc',
  'svg:title',
  'table:covered-table-cell',
  'text:sequence-decls',
  'text:tracked-changes',
  'text:variable-decls',
])
/** How an index is created: templates of its title and of its entries. */
const INDEX_SOURCE = /^text:[a-z-]+-source$/

class Renderer {
  readonly #inert: Document
  readonly #parts: Parts
  readonly #styles: OdtStyles
  readonly #lists: OdtLists

  constructor(inert: Document, parts: Parts, styles: OdtStyles, lists: OdtLists) {
    this.#inert = inert
    this.#parts = parts
    this.#styles = styles
    this.#lists = lists
  }

  /** Renders the content of `from` at the end of `to`. */
  appendContent(to: Element, from: Element, depth = 0): void {
    if (depth > ON_DEMAND_LIMITS.documentDepthMax) throw new DocumentProblem('broken')
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) to.append(collapse(node.textContent ?? ''))
      else if (node.nodeType === Node.ELEMENT_NODE) {
        // Its type says that it is an element.
        const element = node as Element
        const isShown = !HIDDEN.has(element.tagName) && !INDEX_SOURCE.test(element.tagName)
        if (isShown) this.#append(to, element, depth)
      }
    }
  }

  #append(to: Element, from: Element, depth: number): void {
    const { tagName } = from
    const element = this.#createFor(from)
    if (tagName === 'text:s')
      to.append('\u00a0'.repeat(countOf(from, 'text:c', ON_DEMAND_LIMITS.documentSpacesMax)))
    else if (tagName === 'text:tab') to.append('\u2003')
    else if (tagName === 'text:line-break') to.append(this.#inert.createElement('br'))
    else if (tagName === 'draw:image') this.#appendPicture(to, from)
    else if (!element) this.appendContent(to, from, depth + 1)
    else {
      to.append(element)
      this.appendContent(element, from, depth + 1)
      // An empty paragraph has the height of a line.
      if (tagName === 'text:p' && !element.hasChildNodes()) {
        element.append(this.#inert.createElement('br'))
      }
    }
  }

  /** Creates the HTML element for an element of the document; undefined if only its content is rendered. */
  #createFor(from: Element): HTMLElement | undefined {
    if (from.tagName === 'text:h') {
      const level = countOf(from, 'text:outline-level', 6)
      return this.#createStyled(`h${level}`, 'paragraph', from.getAttribute('text:style-name'))
    }
    if (from.tagName === 'text:a') {
      const link = this.#inert.createElement('a')
      link.setAttribute('href', from.getAttribute('xlink:href') ?? '')
      return link
    }
    if (from.tagName === 'text:note-citation') return this.#inert.createElement('sup')
    if (from.tagName === 'text:note-body') {
      const note = this.#inert.createElement('span')
      note.className = 'note'
      return note
    }
    if (from.tagName === 'text:list') return this.#createList(from)
    const [tag, family] = HTML_ELEMENTS[from.tagName] ?? []
    if (!tag) return undefined
    const name = from.getAttribute(family === 'table-cell' ? 'table:style-name' : 'text:style-name')
    const element = this.#createStyled(tag, family ?? '', name)
    if (from.tagName === 'text:p') element.setAttribute('role', 'paragraph')
    if (from.tagName === 'text:list-header') element.className = 'header'
    const number = from.tagName === 'text:list-item' ? firstNumberOf(from) : undefined
    if (number !== undefined) element.setAttribute('value', String(number))
    if (tag === 'td') {
      element.setAttribute(
        'colspan',
        String(
          countOf(from, 'table:number-columns-spanned', ON_DEMAND_LIMITS.documentSpanMaxCells),
        ),
      )
      element.setAttribute(
        'rowspan',
        String(countOf(from, 'table:number-rows-spanned', ON_DEMAND_LIMITS.documentSpanMaxCells)),
      )
    }
    return element
  }

  #createList(from: Element): HTMLElement {
    const numbering = this.#lists.numberingOf(from)
    const list = this.#inert.createElement(numbering ? 'ol' : 'ul')
    if (numbering) {
      list.style.listStyleType = numbering.type
      list.setAttribute('start', String(numbering.first))
    }
    return list
  }

  #createStyled(tag: string, family: string, name: string | null): HTMLElement {
    const element = this.#inert.createElement(tag)
    const css = cssOfStyle(this.#styles, family, name)
    if (css !== '') element.style.cssText = css
    return element
  }

  /** Appends a picture whose content is in the file itself; a picture at a URL is left out. */
  #appendPicture(to: Element, from: Element): void {
    const path = (from.getAttribute('xlink:href') ?? '').replace(/^\.\//, '')
    const type = PICTURE_TYPES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()]
    const bytes = Object.hasOwn(this.#parts, path) ? this.#parts[path] : undefined
    if (!type || !bytes) return
    const picture = this.#inert.createElement('img')
    picture.setAttribute('src', `data:${type};base64,${base64Of(bytes)}`)
    const width = from.parentElement?.getAttribute('svg:width') ?? ''
    if (/^[\d.]+(cm|mm|in|pt|px)$/.test(width)) picture.style.width = width
    to.append(picture)
  }
}

/** The number of arguments that every browser accepts in one call. */
const ARGUMENTS_PER_CALL = 2 ** 15

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += ARGUMENTS_PER_CALL) {
    text += String.fromCharCode(...bytes.subarray(start, start + ARGUMENTS_PER_CALL))
  }
  return btoa(text)
}

/** Replaces each sequence of spaces and line ends by one space, as OpenDocument requires. */
function collapse(text: string): string {
  return text.replace(/[ \t\r\n]+/g, ' ')
}

function countOf(element: Element, attribute: string, max: number): number {
  const count = Number(element.getAttribute(attribute) ?? 1)
  return Number.isInteger(count) && count > 0 ? Math.min(count, max) : 1
}
