/** Renders DOCX (ECMA-376) as pages, with the library docx-preview. */

import { defaultOptions, type HElement, parseAsync, renderDocument } from 'docx-preview'
import { zipSync } from 'fflate'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { DocumentProblem } from '#wire/formats/document-problem.ts'
import { type SafePage, safePage } from './safe-page.ts'
import { partText, unpack } from './unpack.ts'

const MAIN = /^word\/document\d*\.xml$/

/** @throws DocumentProblem encrypted, tooLarge, broken; Error if docx-preview cannot read the document */
export async function renderDocx(bytes: Uint8Array): Promise<SafePage> {
  const parts = unpack(
    bytes,
    ON_DEMAND_LIMITS.textXmlMaxBytes,
    (name) => !name.endsWith('/') && !/\.(bin|exe|vml)$/i.test(name),
  )
  if (!Object.keys(parts).some((name) => MAIN.test(name)) || !partText(parts, '_rels/.rels')) {
    throw new DocumentProblem('broken')
  }
  // An inert document: its elements request nothing and run nothing.
  const inert = document.implementation.createHTMLDocument('')
  const options = {
    ...defaultOptions,
    useBase64URL: true,
    ignoreLastRenderedPageBreak: true,
    renderAltChunks: false,
    renderComments: false,
    h: (element: HElement | Node | string) => createIn(inert, element),
  }
  // The library unpacks the archive again, so it gets only the files within the limits.
  const word = await parseAsync(zipSync(parts, { level: 0 }), options)
  const nodes = await renderDocument(word, options)
  const styles: string[] = []
  const root = inert.createElement('div')
  for (const node of nodes) {
    if (node.nodeName === 'STYLE') styles.push(withPlainMarkers(node.textContent ?? ''))
    else root.append(node)
  }
  return safePage(root, styles)
}

/** Creates the element that docx-preview describes, in a document without a window. */
function createIn(inert: Document, described: HElement | Node | string): Node {
  if (typeof described === 'string') return inert.createTextNode(described)
  if (described instanceof Node) return described
  const { ns, tagName, className, style, children = [], ...properties } = described
  const append = (parent: Node) => {
    for (const child of children) parent.appendChild(createIn(inert, child))
    return parent
  }
  if (tagName === '#fragment') return append(inert.createDocumentFragment())
  if (tagName === '#comment') return inert.createComment('')
  const element = ns ? inert.createElementNS(ns, tagName) : inert.createElement(tagName)
  if (className) element.setAttribute('class', className)
  if (style && isStyled(element)) {
    if (typeof style === 'string') element.style.cssText = style
    else Object.assign(element.style, style)
  }
  for (const [name, value] of Object.entries(properties)) {
    // The library sets properties of elements, such as `colSpan`.
    if (value !== undefined) Object.assign(element, { [name]: value })
  }
  return append(element)
}

function isStyled(element: Element): element is Element & ElementCSSInlineStyle {
  return 'style' in element
}

/** Replacements for characters of the fonts Symbol and Wingdings, which lists use and browsers do not have. */
const SYMBOLS: Record<string, string> = {
  '\uf02d': '–',
  '\uf076': '❖',
  '\uf0a7': '▪',
  '\uf0a8': '◻',
  '\uf0d8': '➢',
  '\uf0e0': '→',
  '\uf0fc': '✓',
}

/**
 * Replaces the escapes in list markers by the characters themselves, because `safePage` removes escapes from styles.
 * Replaces characters of symbol fonts by ones that every system has.
 */
function withPlainMarkers(css: string): string {
  return css
    .replace(/\\([\da-f]{1,6})\s?/gi, (_escape, hex: string) => {
      const code = Number.parseInt(hex, 16)
      if (code === 9) return '\u2003'
      return code > 0x7f && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    })
    .replace(/[\uf000-\uf0ff]/g, (symbol) => SYMBOLS[symbol] ?? '•')
}
