/** Stores a name table on the disk: a header with a checksum, then the bytes of each array. */
import { closeSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { NameTable } from './name-table.ts'

/** The version of the format: it changes if the arrays or their meaning change. */
const FORMAT = 2
const MAGIC = 'filemgr names\n'
const HEADER_MAX = 64 * 1024

/** What a table was made from, and how old it is. */
export interface TableInfo {
  /** Identifies the tree and the program; a table of another one is not used. */
  madeFrom: string
  /** When all folders were last checked. */
  checkedMs: number
  /** When all folders were last read. */
  readMs: number
}

interface Header extends TableInfo {
  format: number
  /** Length of each array in bytes. */
  lengths: number[]
  /** Checksum of all arrays. */
  sum: string
}

/**
 * Saves a table in a file that only its owner can read.
 *
 * @throws system errors
 */
export function saveTable(path: string, table: NameTable, info: TableInfo): void {
  const arrays = table.columns().map((column) => bytesOf(column.used()))
  const lengths = arrays.map(({ length }) => length)
  const header: Header = { ...info, format: FORMAT, lengths, sum: sumOf(arrays) }
  const temporaryFile = `${path}.${process.pid}`
  const file = openSync(temporaryFile, 'w', 0o600)
  try {
    writeAll(file, Buffer.from(`${MAGIC}${JSON.stringify(header)}\n`))
    for (const array of arrays) writeAll(file, array)
  } catch (error) {
    rmSync(temporaryFile, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  renameSync(temporaryFile, path)
}

/**
 * Loads a table.
 *
 * @param madeFrom the tree and the program from which the table must be made
 * @throws Error if the file is invalid; ENOENT if there is none
 */
export function loadTable(path: string, madeFrom: string): { table: NameTable; info: TableInfo } {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(HEADER_MAX)
    const text = start.subarray(0, readSync(file, start, 0, HEADER_MAX, 0)).toString('latin1')
    const end = text.indexOf('\n', MAGIC.length)
    if (!text.startsWith(MAGIC) || end < 0) throw new Error('is no index of names')
    const header = JSON.parse(start.subarray(MAGIC.length, end).toString()) as Header
    if (header.format !== FORMAT || header.madeFrom !== madeFrom)
      throw new Error('is of another tree or version')
    let offset = end + 1
    const arrays = header.lengths.map((length) => {
      const array = Buffer.from(new ArrayBuffer(length))
      if (readAll(file, array, offset) !== length) throw new Error('is cut off')
      offset += length
      return array
    })
    if (sumOf(arrays) !== header.sum) throw new Error('is damaged')
    const table = new NameTable(arrays.map(({ buffer }) => buffer as ArrayBuffer))
    return { table, info: { madeFrom, checkedMs: header.checkedMs, readMs: header.readMs } }
  } finally {
    closeSync(file)
  }
}

function sumOf(arrays: readonly Uint8Array[]): string {
  return arrays.reduce((sum, array) => Bun.hash.wyhash(array, sum), 0n).toString(16)
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; )
    offset += writeSync(file, bytes, offset, bytes.length - offset)
}

function readAll(file: number, into: Uint8Array, from: number): number {
  for (let offset = 0; offset < into.length; ) {
    const length = readSync(file, into, offset, into.length - offset, from + offset)
    if (length === 0) return offset
    offset += length
  }
  return into.length
}
