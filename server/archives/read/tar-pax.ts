/** The records of a pax header (POSIX.1-2001). */
import { damagedArchive } from '../member.ts'

/** Values of the records before a header; they replace those of the header. */
export interface PaxRecords {
  path?: Uint8Array
  size?: number
  modifiedMs?: number
  linkPath?: Uint8Array
  /** Of a sparse file: its size, and the pieces of its data as numbers; without them they are in front of the data. */
  sparseSize?: number
  sparseNumbers?: number[]
}

/**
 * `30 path=…` and a newline; the number is the length of the whole record.
 *
 * @throws Fault unprocessable (malformed)
 */
export function paxRecords(bytes: Uint8Array): PaxRecords {
  const records: PaxRecords = {}
  for (let start = 0; start < bytes.length; ) {
    const spaceOffset = bytes.indexOf(0x20, start)
    const length = Number(Buffer.from(bytes.subarray(start, spaceOffset)).toString('latin1'))
    const equalsOffset = bytes.indexOf(0x3d, spaceOffset)
    const end = start + length
    const isWhole =
      spaceOffset > start &&
      Number.isSafeInteger(length) &&
      equalsOffset > spaceOffset &&
      equalsOffset < end
    if (!isWhole || end > bytes.length) throw damagedArchive()
    const key = Buffer.from(bytes.subarray(spaceOffset + 1, equalsOffset)).toString('latin1')
    const value = bytes.subarray(equalsOffset + 1, end - 1)
    start = end
    if (key === 'path') records.path = value
    else if (key === 'size') records.size = paxNumber(value)
    else if (key === 'mtime') records.modifiedMs = Math.round(paxNumber(value) * 1000)
    else if (key === 'linkpath') records.linkPath = value
    else if (key.startsWith('GNU.sparse.')) addSparseRecord(records, key, value)
  }
  if (records.size !== undefined && !isLength(records.size)) throw damagedArchive()
  return records
}

/** Adds a record of one of GNU's formats 0.0, 0.1 and 1.0. */
function addSparseRecord(records: PaxRecords, key: string, value: Uint8Array): void {
  if (key === 'GNU.sparse.name') records.path = value
  else if (key === 'GNU.sparse.size' || key === 'GNU.sparse.realsize') {
    records.sparseSize = paxNumber(value)
  } else if (key === 'GNU.sparse.map') {
    const numbers = Buffer.from(value).toString('latin1').split(',')
    records.sparseNumbers = value.length === 0 ? [] : numbers.map(Number)
  } else if (key === 'GNU.sparse.offset' || key === 'GNU.sparse.numbytes') {
    records.sparseNumbers = [...(records.sparseNumbers ?? []), paxNumber(value)]
  }
}

export function isLength(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function paxNumber(value: Uint8Array): number {
  const text = Buffer.from(value).toString('latin1')
  if (!/^-?\d{1,16}(?:\.\d*)?$/.test(text)) throw damagedArchive()
  return Number(text)
}
