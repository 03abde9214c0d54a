/** Access lists of files and folders (acl(5)), in the form of the kernel's extended attributes. */
import { attribute, removeAttribute, setAttribute } from './attributes.ts'

/** Tags of entries. */
const OWNER = 1
const USER = 2
const GROUP = 4
const MASK = 16
const OTHERS = 32
const VERSION = 2
/** The id of an entry without one. */
const NO_ID = 0xffffffff

/** Lets a user read and write everything that is created in a folder from now on. */
export function shareNewEntries(folder: string, userId: number): void {
  setAttribute(
    folder,
    'system.posix_acl_default',
    listOf([OWNER, 7], [USER, 7, userId], [GROUP, 5], [MASK, 7], [OTHERS, 0]),
  )
}

/** Removes the access list of a folder, and that of new entries. */
export function removeAccessLists(folder: string): void {
  for (const kind of ['access', 'default']) removeAttribute(folder, `system.posix_acl_${kind}`)
}

/** @returns the access list of a file or folder, or that of new entries in it; empty if it has none */
export function accessList(path: string, kind: 'access' | 'default' = 'access'): string {
  return Buffer.from(attribute(path, `system.posix_acl_${kind}`) ?? '').toString('hex')
}

/** Why the file system of a folder stores no access lists; undefined if it does. */
export function noAccessLists(folder: string): string | undefined {
  try {
    shareNewEntries(folder, 1)
    return undefined
  } catch {
    return 'The temporary folder of this machine stores no access lists.'
  }
}

function listOf(...entries: (readonly [tag: number, rights: number, id?: number])[]): Uint8Array {
  const list = Buffer.alloc(4 + entries.length * 8)
  list.writeUInt32LE(VERSION, 0)
  for (const [index, [tag, rights, id = NO_ID]] of entries.entries()) {
    list.writeUInt16LE(tag, 4 + index * 8)
    list.writeUInt16LE(rights, 6 + index * 8)
    list.writeUInt32LE(id, 8 + index * 8)
  }
  return list
}
