/** Recognises File Browser's database by its content. */
import { closeSync, openSync, readSync } from 'node:fs'
import { belongsToOpenDatabase } from '#server/os/open-databases.ts'

/** The magic number of bbolt, in the first page after its 16-byte header (docs/api.md 9.6). */
const BOLT_MARK = { offset: 16, value: 0xed0cdaed }

/** Whether a file is a database in File Browser's format. */
export function isFileBrowserDatabase(path: string): boolean {
  const head = Buffer.alloc(BOLT_MARK.offset + 4)
  try {
    if (belongsToOpenDatabase(path)) return false
    const file = openSync(path, 'r')
    try {
      readSync(file, head, 0, head.length, 0)
    } finally {
      closeSync(file)
    }
  } catch {
    // A read error is reported when the file is opened.
    return false
  }
  return head.readUInt32LE(BOLT_MARK.offset) === BOLT_MARK.value
}
