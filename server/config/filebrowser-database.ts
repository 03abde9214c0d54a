/** File Browser's own database is known by what is in it, whatever it is called. */
import { closeSync, openSync, readSync } from 'node:fs'
import { Fault } from '#wire/fault.ts'

/** Where bbolt keeps its mark: in the first page, after its head of 16 bytes (contract 9.6). */
const BOLT_MARK = { at: 16, value: 0xed0cdaed }

/** @throws Fault conflict for a database of File Browser, which is not touched */
export function rejectFileBrowserDatabase(path: string): void {
  const head = Buffer.alloc(BOLT_MARK.at + 4)
  try {
    const file = openSync(path, 'r')
    readSync(file, head, 0, head.length, 0)
    closeSync(file)
  } catch {
    // Whatever keeps it from being read is said when it is opened.
    return
  }
  if (head.readUInt32LE(BOLT_MARK.at) !== BOLT_MARK.value) return
  throw new Fault(
    'conflict',
    [
      `${path} is a database of File Browser. filemgr has one of its own; this one was not changed.`,
      'To take it over: `filebrowser config export config.json` and `filebrowser users export users.json`,',
      'then `filemgr config import config.json` and `filemgr users import users.json`,',
      'each with another file for --database (FILEMGR_DATABASE, FB_DATABASE).',
    ].join('\n'),
  )
}
