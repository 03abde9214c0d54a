/** Reads a spreadsheet outside of the page's thread, so that the page stays usable. */

import { type DocumentProblemKind, problemKindOf } from '#wire/formats/document-problem.ts'
import type { Sheet } from '#wire/formats/sheets/sheet.ts'
import { readOds, readXlsx } from './spreadsheet.ts'

export interface SheetsRequest {
  bytes: Uint8Array
  format: 'xlsx' | 'ods'
  language: string
}

export type SheetsReply = { sheets: Sheet[] } | { problem: DocumentProblemKind }

addEventListener('message', ({ data }: MessageEvent<SheetsRequest>) => postMessage(reply(data)))

function reply({ bytes, format, language }: SheetsRequest): SheetsReply {
  try {
    return { sheets: format === 'ods' ? readOds(bytes) : readXlsx(bytes, language) }
  } catch (error) {
    return { problem: problemKindOf(error) }
  }
}
