/** File Browser's own database is known by what is in it, whatever it is called. */
import { closeSync, openSync, readSync } from 'node:fs'

/** Where bbolt keeps its mark: in the first page, after its head of 16 bytes (docs/api.md 9.6). */
const BOLT_MARK = { at: 16, value: 0xed0cdaed }

/** Whether a file is a database of File Browser's kind. */
export function isFileBrowsers(path: string): boolean {
  const head = Buffer.alloc(BOLT_MARK.at + 4)
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, head, 0, head.length, 0)
    } finally {
      closeSync(file)
    }
  } catch {
    // Whatever keeps it from being read is said when it is opened.
    return false
  }
  return head.readUInt32LE(BOLT_MARK.at) === BOLT_MARK.value
}
