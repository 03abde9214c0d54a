/** Documents of office programs, built by code. */
import { strToU8, type Zippable, zipSync } from 'fflate'

const zip = (files: Record<string, string | Uint8Array>): Uint8Array => {
  const parts: Zippable = {}
  for (const [name, content] of Object.entries(files)) {
    parts[name] = typeof content === 'string' ? strToU8(content) : content
  }
  return zipSync(parts)
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'

/** @param body and `section` in WordprocessingML; `relations` in the form of the package */
export function docxOf(
  body: string,
  relations = '',
  files: Record<string, Uint8Array> = {},
  section = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134"/></w:sectPr>',
): Uint8Array {
  return zip({
    ...files,
    '[Content_Types].xml': `<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${RELATIONS}">${relations}</Relationships>`,
    'word/document.xml': `<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>${body}${section}</w:body></w:document>`,
  })
}

/** A paragraph, with properties of its run such as `<w:b/>`. */
export function wordText(text: string, properties = ''): string {
  return `<w:p><w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
}

/** The numbering `1`, with the bullet of Word, and its relation. */
export const BULLETS = {
  relation: `<Relationship Id="n1" Type="${OFFICE}/numbering" Target="numbering.xml"/>`,
  files: {
    'word/numbering.xml': strToU8(
      `<w:numbering xmlns:w="${WORD}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="\uf0b7"/><w:lvlJc w:val="left"/><w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/></w:rPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    ),
  },
}

/** A picture that refers to a relation. */
export function wordPicture(relation: string): string {
  return `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="952500" cy="952500"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip r:link="${relation}" r:embed="${relation}"/></pic:blipFill><pic:spPr><a:xfrm><a:ext cx="952500" cy="952500"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
}

/**
 * Sheets by name, as `sheetData` in SpreadsheetML.
 *
 * @param styles the formats of cells, by code; after them is a style for bold cells
 * @param frozenRows the number of first rows of each sheet that stay visible
 */
export function xlsxOf(
  sheets: Record<string, string>,
  styles: readonly string[] = [],
  frozenRows = 0,
): Uint8Array {
  const names = Object.keys(sheets)
  const formats = styles
    .map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`)
    .join('')
  const cells = styles.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')
  return zip({
    '[Content_Types].xml': `<Types xmlns="${TYPES}"/>`,
    'xl/workbook.xml': `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${RELATIONS}">${names.map((_, at) => `<Relationship Id="r${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${SHEET}"><numFmts>${formats}</numFmts><fonts><font/><font><b/></font></fonts><cellXfs><xf numFmtId="0"/>${cells}<xf numFmtId="0" fontId="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((data, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${SHEET}"><sheetViews><sheetView><pane ySplit="${frozenRows}" state="frozen"/></sheetView></sheetViews><sheetData>${data}</sheetData></worksheet>`,
      ]),
    ),
  })
}

/** A row of texts and numbers, from column A. */
export function sheetRow(number: number, cells: readonly (string | number)[]): string {
  const written = cells.map((cell, at) => {
    const reference = `${String.fromCharCode(65 + at)}${number}`
    return typeof cell === 'number'
      ? `<c r="${reference}"><v>${cell}</v></c>`
      : `<c r="${reference}" t="inlineStr"><is><t>${cell}</t></is></c>`
  })
  return `<row r="${number}">${written.join('')}</row>`
}

const ODF = 'urn:oasis:names:tc:opendocument:xmlns'
const NAMESPACES = [
  ['office', `${ODF}:office:1.0`],
  ['text', `${ODF}:text:1.0`],
  ['table', `${ODF}:table:1.0`],
  ['style', `${ODF}:style:1.0`],
  ['draw', `${ODF}:drawing:1.0`],
  ['svg', `${ODF}:svg-compatible:1.0`],
  ['fo', `${ODF}:xsl-fo-compatible:1.0`],
  ['xlink', 'http://www.w3.org/1999/xlink'],
]
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(' ')

interface OdfOptions {
  styles?: string
  /** Declares the content as encrypted. */
  encrypted?: boolean
  /** What precedes the content. */
  prolog?: string
  /** More files, by their path in the archive. */
  files?: Record<string, Uint8Array>
}

/** @param body the content of `office:text` or `office:spreadsheet` */
function odfOf(kind: 'text' | 'spreadsheet', body: string, options: OdfOptions): Uint8Array {
  const { styles = '', encrypted = false, prolog = '', files = {} } = options
  return zip({
    ...files,
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': `<manifest>${encrypted ? '<manifest:encryption-data/>' : ''}</manifest>`,
    'content.xml': `${prolog}<office:document-content ${NAMESPACES}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
  })
}

export function odtOf(body: string, options: OdfOptions = {}): Uint8Array {
  return odfOf('text', body, options)
}

export function odsOf(body: string, options: OdfOptions = {}): Uint8Array {
  return odfOf('spreadsheet', body, options)
}

/** What Microsoft Office makes of an encrypted document: a compound file with this part. */
export function encryptedDocument(): Uint8Array {
  const signature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
  return Buffer.concat([
    Buffer.from(signature),
    Buffer.alloc(504),
    Buffer.from('EncryptedPackage', 'utf16le'),
    Buffer.alloc(512),
  ])
}

/** A small archive whose file, in XML by its name, expands to more than 128 MiB. */
export function zipBomb(name: string): Uint8Array {
  return zipSync({ [name]: new Uint8Array(128 * 2 ** 20 + 1) }, { level: 1 })
}
