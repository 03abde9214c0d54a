/** Reads spreadsheets within the limits of the viewer. */

import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { scanDocument } from '#wire/formats/scan-document.ts'
import { isOdsPart, parseOds } from '#wire/formats/sheets/ods.ts'
import type { ScanPart, Sheet, SheetLimits } from '#wire/formats/sheets/sheet.ts'
import { isXlsxPart, parseXlsx } from '#wire/formats/sheets/xlsx.ts'
import { type Parts, partText, unpack } from './unpack.ts'

const LIMITS: SheetLimits = {
  sheetsMax: ON_DEMAND_LIMITS.sheetsMax,
  rowsMax: ON_DEMAND_LIMITS.sheetRowsMax,
  columnsMax: ON_DEMAND_LIMITS.sheetColumnsMax,
  cellsMax: ON_DEMAND_LIMITS.sheetCellsMax,
  frozenRowsMax: ON_DEMAND_LIMITS.sheetFrozenRowsMax,
  spacesMax: ON_DEMAND_LIMITS.documentSpacesMax,
  styleParentsMax: ON_DEMAND_LIMITS.styleParentsMax,
}

/**
 * @param language the language whose number format is used
 * @throws DocumentProblem encrypted, tooLarge, broken
 */
export function readXlsx(bytes: Uint8Array, language: string): Sheet[] {
  const parts = unpack(bytes, ON_DEMAND_LIMITS.sheetsXmlMaxBytes, isXlsxPart)
  return parseXlsx(scannerOf(parts), LIMITS, language)
}

/** @throws DocumentProblem encrypted, tooLarge, broken */
export function readOds(bytes: Uint8Array): Sheet[] {
  const parts = unpack(bytes, ON_DEMAND_LIMITS.sheetsXmlMaxBytes, isOdsPart)
  return parseOds(scannerOf(parts), LIMITS)
}

function scannerOf(parts: Parts): ScanPart {
  return (name, listen) => {
    const xml = partText(parts, name)
    if (!xml) return false
    scanDocument(xml, listen)
    return true
  }
}
