/** Renders the text of RTF (Rich Text Format 1.9.1) as one page, without its fonts, colours and pictures. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { DocumentProblem } from '#wire/formats/document-problem.ts'
import { type SafePage, safePage } from './safe-page.ts'

/** @throws DocumentProblem broken, tooLarge */
export function renderRtf(bytes: Uint8Array): SafePage {
  const lines = linesOf(bytes)
  if (lines.length > ON_DEMAND_LIMITS.documentElementsMax) throw new DocumentProblem('tooLarge')
  const inert = document.implementation.createHTMLDocument('')
  const root = inert.createElement('div')
  const page = inert.createElement('section')
  page.className = 'odt rtf'
  root.append(page)
  for (const line of lines) {
    const paragraph = inert.createElement('p')
    if (line === '') paragraph.append(inert.createElement('br'))
    else paragraph.textContent = line
    page.append(paragraph)
  }
  return safePage(root, [])
}

/** A control word with its number, a byte in hex, a control symbol, a bracket, or text. Line breaks mean nothing. */
const TOKEN = /\\([a-z]+)(-?\d+)? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/gi

/** Control words and symbols that stand for text. A line break ends a paragraph. */
const TEXTS: Record<string, string> = {
  ...{ par: '\n', sect: '\n', page: '\n', line: '\n', row: '\n', nestrow: '\n', '\n': '\n' },
  ...{ tab: '\t', cell: '\t', nestcell: '\t', emdash: '—', endash: '–', bullet: '•' },
  ...{ lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”', emspace: ' ', enspace: ' ' },
  ...{ '\r': '\n', '~': '\u00a0', _: '\u2011', '-': '\u00ad', '\\': '\\', '{': '{', '}': '}' },
}

/** Groups that begin with these words contain no text of the document. */
const HIDDEN = new Set(
  `fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl
  footerr footerf xe tc annotation fldinst`.split(/\s+/),
)

interface Group {
  isShown: boolean
  /** After a character of Unicode, so many characters follow for readers that do not know it. */
  fallbackLength: number
}

/**
 * @returns the paragraphs
 * @throws DocumentProblem broken
 */
export function linesOf(bytes: Uint8Array): string[] {
  const source = latin1(bytes)
  if (!source.startsWith('{\\rtf')) throw new DocumentProblem('broken')
  const tokens = new RegExp(TOKEN)
  const outer: Group[] = []
  let group: Group = { isShown: true, fallbackLength: 1 }
  let decoder = new TextDecoder('windows-1252')
  let encoded: number[] = []
  let skipped = 0
  let text = ''

  function write(unencoded: string): void {
    text += decoder.decode(Uint8Array.from(encoded)) + unencoded
    encoded = []
  }
  /** Several bytes may be one character, so they are decoded together. */
  function writeBytes(codes: number[]): void {
    const written = codes.slice(skipped)
    skipped -= codes.length - written.length
    if (group.isShown) encoded.push(...written)
  }

  for (let match = tokens.exec(source); match; match = tokens.exec(source)) {
    const [, word = '', number, hex, symbol = '', bracket, plain] = match
    if (plain !== undefined) for (const part of chunks(plain)) writeBytes(part)
    else if (hex !== undefined) writeBytes([Number.parseInt(hex, 16)])
    else if (bracket === '{') {
      outer.push(group)
      group = { ...group }
    } else if (bracket === '}') group = outer.pop() ?? group
    else if (symbol === '*' || HIDDEN.has(word)) group.isShown = false
    else if (word === 'ansicpg') decoder = decoderOf(number)
    else if (word === 'uc') group.fallbackLength = Number(number)
    else if (word === 'bin') tokens.lastIndex += Math.max(0, Number(number))
    else if (word === 'u' && group.isShown) {
      write(String.fromCharCode(Number(number) & 0xffff))
      skipped = group.fallbackLength
    } else if (group.isShown) {
      const meant = TEXTS[word || symbol]
      if (meant !== undefined && skipped === 0) write(meant)
      if (symbol !== '') skipped = Math.max(0, skipped - 1)
    }
  }
  write('')
  return text.replace(/\n+$/, '').split('\n')
}

/** The names of code pages that are not `windows-` with their number. */
const CODE_PAGES: Record<string, string> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
}

function decoderOf(codePage = ''): TextDecoder {
  try {
    return new TextDecoder(CODE_PAGES[codePage] ?? `windows-${codePage}`)
  } catch {
    return new TextDecoder('windows-1252')
  }
}

/** Each byte as the character of its number, unlike `latin1` of a TextDecoder, which means Windows-1252. */
function latin1(bytes: Uint8Array): string {
  return chunks(bytes)
    .map((codes) => String.fromCharCode(...codes))
    .join('')
}

/** @returns the numbers of the bytes or characters, as many at once as a call has arguments */
function chunks(bytes: Uint8Array | string): number[][] {
  const codes = typeof bytes === 'string' ? Array.from(bytes, (char) => char.charCodeAt(0)) : bytes
  const parts: number[][] = []
  for (let at = 0; at < codes.length; at += 8192) parts.push([...codes.slice(at, at + 8192)])
  return parts
}
