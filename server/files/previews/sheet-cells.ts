/** The first cells of a spreadsheet or of a table of separated values. Only the beginning of each file is read. */
import type { Scope } from '#server/access/scope/scope.ts'
import type { Member } from '#server/archives/member.ts'
import { zipMembersOf } from '#server/archives/read/open-archive.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { DocumentProblem } from '#wire/formats/document-problem.ts'
import { scanDocument } from '#wire/formats/scan-document.ts'
import { isOdsPart, ODS_PARTS, parseOds } from '#wire/formats/sheets/ods.ts'
import { parseTable } from '#wire/formats/sheets/parse-table.ts'
import type { ScanPart, Sheet, SheetLimits } from '#wire/formats/sheets/sheet.ts'
import { isXlsxPart, parseXlsx, readWorkbook, XLSX_PARTS } from '#wire/formats/sheets/xlsx.ts'
import { nameOf } from '#wire/paths.ts'

/** The cells that fit into a picture. */
const PICTURE_ROWS = 17
const PICTURE_COLUMNS = 12

const LIMITS: SheetLimits = {
  sheetsMax: 1,
  rowsMax: PICTURE_ROWS,
  columnsMax: PICTURE_COLUMNS,
  cellsMax: PICTURE_ROWS * PICTURE_COLUMNS,
  frozenRowsMax: 0,
  spacesMax: 20,
  styleParentsMax: 20,
}
/** The part of each XML file that is unpacked. */
const PART_BYTES = 256 * 1024
/** A picture is the same for users of all languages. */
const LANGUAGE = 'en'

/** Rows of texts, and which of them are bold. */
export type Cells = Pick<Sheet, 'rows' | 'bold'>

/**
 * The first cells of an XLSX or ODS file.
 *
 * @returns undefined if its first sheet is empty
 * @throws Fault unprocessable (damaged or encrypted), tooLarge, and as `Scope.read`
 */
export async function sheetCells(
  source: Pick<Scope, 'read'>,
  node: Node,
): Promise<Cells | undefined> {
  const isOds = /\.o[dt]s$/i.test(nameOf(node.path))
  const isWanted = isOds ? isOdsPart : isXlsxPart
  const members = new Map<string, Member>()
  for await (const member of zipMembersOf(source, node)) {
    if (member.kind === 'file' && isWanted(member.name)) members.set(member.name, member)
  }
  const texts = new Map<string, string>()
  const load = async (name: string) => {
    const member = members.get(name)
    if (member) texts.set(name, await beginningOf(member))
  }
  const scan: ScanPart = (name, listen) => {
    const text = texts.get(name)
    if (!text) return false
    scanDocument(text, listen, true)
    return true
  }
  for (const name of isOds ? ODS_PARTS : XLSX_PARTS) await load(name)
  try {
    const first = isOds ? undefined : readWorkbook(scan).sheets[0]
    if (first) await load(first.path)
    const [sheet] = isOds ? parseOds(scan, LIMITS) : parseXlsx(scan, LIMITS, LANGUAGE)
    return sheet && sheet.columns > 0 ? sheet : undefined
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error
    throw new Fault('unprocessable', 'This spreadsheet cannot be read.', { cause: error })
  }
}

/** The first cells of a table of separated values; undefined if there are none. The first row is bold. */
export function tableCells(text: string): Cells | undefined {
  const { head, rows } = parseTable(text, 'auto')
  if (head.length === 0) return undefined
  const shown = [head, ...rows.slice(0, PICTURE_ROWS - 1)].map((row) =>
    row.slice(0, PICTURE_COLUMNS),
  )
  return { rows: shown, bold: new Set(head.map((_, column) => `0 ${column}`)) }
}

/** The beginning of a file in the archive, as text. */
async function beginningOf(member: Member): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of member.read()) {
    parts.push(part)
    length += part.length
    if (length >= PART_BYTES) break
  }
  return new TextDecoder().decode(Buffer.concat(parts).subarray(0, PART_BYTES), { stream: true })
}
