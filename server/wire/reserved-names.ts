/** Names that are reserved anywhere in the tree: for filemgr servers, and for snapshots of the file system. */

import { segmentsOf, type TreePath } from './paths.ts'

/** The folder of a server in a served folder, and the start of the names that it hides beside an item. */
export const PRIVATE_FOLDER = '.filemgr'
/** The end of a name for a server: empty, or a random suffix. */
const PRIVATE_END = /^(-[0-9a-f]{24}m?)?$/

/** Under these names, a folder shows its snapshots: snapper, Synology, ZFS, and NetApp for NFS and for Windows. */
const SNAPSHOT_FOLDERS: ReadonlySet<string> = new Set([
  '.snapshots',
  '#snapshot',
  '.zfs',
  '.snapshot',
  '~snapshot',
])
/** Samba and Windows show each snapshot of a folder as one of its subfolders, named after its time. */
const SNAPSHOT = /^@gmt-\d{4}\.\d\d\.\d\d-\d\d\.\d\d\.\d\d$/

/** How a reserved name may begin. Every name of a listing is checked. */
const BEGINNING = /^[.#~@\u0080-\uffff]/
/** Whether a path may contain a reserved name: a quick answer, since every request asks. */
const MAY_CONTAIN = /\/[.#~@\u0080-\uffff]/
/** Matches names whose characters have no equivalent except in the other case. */
const ASCII = /^[!-~ ]*$/

/**
 * Whether no request, listing, copy, archive or search reaches an entry of this name, for any user. A snapshot is a
 * second way to the content of its folder, to which rules, shares and deletions do not apply.
 */
export function isReservedName(name: string): boolean {
  const plain = plainIfSpecial(name)
  return plain !== undefined && (isPrivate(plain) || isSnapshot(plain))
}

/** Whether a path contains a reserved name (`isReservedName`). */
export function hasReservedName(path: TreePath): boolean {
  return MAY_CONTAIN.test(path) && segmentsOf(path).some(isReservedName)
}

/** Whether a name is reserved for filemgr servers. Another server may serve a subfolder, so this holds everywhere. */
export function isPrivateName(name: string): boolean {
  const plain = plainIfSpecial(name)
  return plain !== undefined && isPrivate(plain)
}

/** Whether a name is that of a snapshot itself, not of a folder of snapshots. */
export function isSnapshotByTime(name: string): boolean {
  return SNAPSHOT.test(name.toLowerCase())
}

function isPrivate(plain: string): boolean {
  return plain.startsWith(PRIVATE_FOLDER) && PRIVATE_END.test(plain.slice(PRIVATE_FOLDER.length))
}

function isSnapshot(plain: string): boolean {
  return SNAPSHOT_FOLDERS.has(plain) || SNAPSHOT.test(plain)
}

/**
 * @returns one text for all spellings that some file system takes for the same name: any case, dots or spaces at the
 *   end, characters that fold to others, and invisible characters; undefined if the name cannot be reserved
 */
function plainIfSpecial(name: string): string | undefined {
  if (!BEGINNING.test(name)) return undefined
  const normalized = ASCII.test(name)
    ? name
    : name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return normalized.toLowerCase().replace(/[. ]+$/, '')
}
