/** Builds what is printed: texts and tables within a limit, and documents that are shown in frames. */
import { formatNumber } from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'

const MOST = ON_DEMAND_LIMITS.printedLinesMax

/** A text at its full length. */
export function printedText(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const lines = text.split(/\r\n|\r|\n/)
  const shown = document.createElement('pre')
  shown.dir = 'auto'
  shown.textContent = lines.slice(0, MOST).join('\n')
  fragment.append(shown, ...noteOf(lines.length))
  return fragment
}

export interface PrintedTable {
  title?: string
  head: readonly string[]
  rows: readonly (readonly string[])[]
  /** Whether the cells of a column are aligned at its end. */
  isNumeric?: readonly boolean[]
  isBold?: (row: number, column: number) => boolean
}

/** All rows of a table; its head is repeated on each page. */
export function printedTable({
  title,
  head,
  rows,
  isNumeric = [],
  isBold,
}: PrintedTable): DocumentFragment {
  const fragment = document.createDocumentFragment()
  if (title !== undefined) {
    const heading = document.createElement('h1')
    heading.textContent = title
    fragment.append(heading)
  }
  const table = document.createElement('table')
  const headRow = table.createTHead().insertRow()
  for (const [column, text] of head.entries()) {
    const cell = document.createElement('th')
    cell.textContent = text
    cell.toggleAttribute('data-numeric', isNumeric[column] === true)
    headRow.append(cell)
  }
  const body = table.createTBody()
  for (const [row, cells] of rows.slice(0, MOST).entries()) {
    const line = body.insertRow()
    for (const column of head.keys()) {
      const cell = line.insertCell()
      cell.dir = 'auto'
      cell.textContent = cells[column] ?? ''
      cell.toggleAttribute('data-numeric', isNumeric[column] === true)
      cell.toggleAttribute('data-bold', isBold?.(row, column) === true)
    }
  }
  fragment.append(table, ...noteOf(rows.length))
  return fragment
}

/**
 * The document of a frame, apart from the styles of the page.
 *
 * @param page what the frame shows: sanitized, without scripts
 * @param style CSS in addition to that of the frame
 */
export function printedFrame(page: Document, style: string): HTMLElement {
  const host = document.createElement('div')
  host.lang = page.documentElement.lang
  host.dir = page.documentElement.dir
  const root = host.attachShadow({ mode: 'open' })
  const body = document.importNode(page.body, true)
  root.append(...body.childNodes)
  // Under the page's Content-Security-Policy only a script may apply inline styles.
  const styled = page.body.querySelectorAll<HTMLElement>('[style]')
  const copies = root.querySelectorAll<HTMLElement>('[style]')
  for (const [index, copy] of copies.entries()) {
    copy.style.cssText = styled[index]?.style.cssText ?? ''
  }
  const texts = page.adoptedStyleSheets.map(({ cssRules }) =>
    [...cssRules].map(({ cssText }) => cssText).join('\n'),
  )
  root.adoptedStyleSheets = [...texts, style].map((text) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  return host
}

/** The sentence that not everything is printed. */
function noteOf(count: number): HTMLElement[] {
  if (count <= MOST) return []
  const note = document.createElement('p')
  note.textContent = t('common.printedPart', {
    shown: formatNumber(MOST),
    value: formatNumber(count),
  })
  return [note]
}
