/** Items of the trash in the database: rows ↔ StoredTrashItem. */
import { clampTime } from '#wire/api/entry.ts'
import { parsePath, type TreePath } from '#wire/paths.ts'
import type { BroughtBy } from './brought-in.ts'
import type { StoredStep } from './journal-rows.ts'

export interface StoredTrashItem {
  id: number
  /** The name of the content in the trash folder. */
  name: string
  root: string
  /** The journal entry of the deletion. */
  entry: number
  atMs: number
  /** Who brought it into the tree. */
  broughtBy: BroughtBy
  /** The user who deleted or replaced it. */
  userId: number
  username: string
  role: StoredStep['role']
  /** The original path in the served tree; of a version, the present path of its file. */
  path: TreePath
  /** The path at the time of the deletion; the path of a version follows renames of its file. */
  originalPath: TreePath
  isFolder: boolean
  /** The length of a file; of a folder the lengths of all its files, and -1 if it was not measured yet. */
  sizeBytes: number
  /** How many bytes on the disk its deletion frees; -1 if it was not measured yet. */
  diskBytes: number
  modifiedMs: number
  /** The shares that were deleted with the item, as JSON; empty if there are none. */
  shares: string
}

export interface TrashRow {
  brought_by: number
  id: number
  name: string
  root: string
  entry: number
  at_ms: number
  user_id: number
  username: string
  role: string
  path: string
  original_path: string
  is_folder: number
  size_bytes: number
  disk_bytes: number
  modified_ms: number
  shares: string
}

/** SQL that selects rows of finished journal entries; content of unfinished changes is not listed. */
export const DONE = 'NOT EXISTS (SELECT 1 FROM journal j WHERE j.id = kept.entry AND j.is_done = 0)'

/** SQL for the trash folder of a name: the text after 24 random characters and a dot. */
export const TRASH = 'substr(name, 26)'

export function toTrashItem(row: TrashRow): StoredTrashItem {
  return {
    id: row.id,
    name: row.name,
    root: row.root,
    entry: row.entry,
    atMs: row.at_ms,
    // Written only by `insert`, from this type.
    broughtBy: row.brought_by as BroughtBy,
    userId: row.user_id,
    username: row.username,
    // Written only by `insert`, from these types.
    role: row.role as StoredTrashItem['role'],
    path: row.path as TreePath,
    originalPath: (row.original_path || row.path) as TreePath,
    isFolder: row.is_folder === 1,
    sizeBytes: row.size_bytes,
    diskBytes: row.disk_bytes,
    modifiedMs: clampTime(row.modified_ms),
    shares: row.shares,
  }
}

/** What is recorded beside the content of an item, to rebuild its row after the loss of the database. */
export type TrashRecord = Pick<
  StoredTrashItem,
  'atMs' | 'username' | 'role' | 'path' | 'originalPath' | 'isFolder' | 'sizeBytes' | 'modifiedMs'
>

export function recordOf(item: StoredTrashItem): string {
  const { atMs, username, role, path, originalPath, isFolder, sizeBytes, modifiedMs } = item
  const record: TrashRecord = {
    atMs,
    username,
    role,
    path,
    originalPath,
    isFolder,
    sizeBytes,
    modifiedMs,
  }
  return JSON.stringify(record)
}

/** @returns undefined if the text is no record */
export function parseRecord(text: string): TrashRecord | undefined {
  try {
    const { path, originalPath, username, role, ...rest } = JSON.parse(text)
    const numbers = [rest.atMs, rest.sizeBytes, rest.modifiedMs]
    if (!numbers.every(Number.isSafeInteger) || typeof username !== 'string') return undefined
    if (!ROLES.includes(role)) return undefined
    const [atMs = 0, sizeBytes = 0, modifiedMs = 0] = numbers
    const paths = { path: parsePath(path), originalPath: parsePath(originalPath) }
    return {
      atMs,
      username,
      role,
      ...paths,
      isFolder: rest.isFolder === true,
      sizeBytes,
      modifiedMs: clampTime(modifiedMs),
    }
  } catch {
    return undefined
  }
}

const ROLES: readonly unknown[] = ['trash', 'version', 'part'] satisfies StoredTrashItem['role'][]
