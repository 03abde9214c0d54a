/** Files and folders in the API (docs/api.md 1.4 and 8). */

import type { TreePath } from '../paths.ts'

/** The type of a file, which decides how it is displayed. That of a folder is empty (docs/api.md 8.2). */
export const ENTRY_TYPES = [
  '',
  'video',
  'audio',
  'image',
  'pdf',
  'text',
  'textImmutable',
  'blob',
  'invalid_link',
] as const

export type EntryType = (typeof ENTRY_TYPES)[number]

export interface Entry {
  path: TreePath
  name: string
  /** Bytes; for a folder the size of its own inode. */
  size: number
  /** With the dot, in its original case. */
  extension: string
  /** RFC 3339. */
  modified: string
  /** Go's FileMode: nine permission bits, and the type in the high bits (docs/api.md 8.1). */
  mode: number
  isDir: boolean
  isSymlink: boolean
  type: EntryType
  /** Of a folder: the total size of all files below it; absent if it is unknown or not permitted. */
  totalSize?: number
  /**
   * Of a folder that a rule denies: it leads to an allowed one, so it is listed, searched and archived, but never changed or
   * shared.
   */
  listOnly?: true
  /** Of a link that cannot be followed, because it leads outside the root. Only administrators see it. */
  leadsOutside?: true
  /** Of a video: the paths of its subtitles; absent if there are none (docs/api.md 8.6). */
  subtitles?: readonly string[]
}

/** Pixels, after rotation. */
export interface Resolution {
  width: number
  height: number
}

/**
 * The media type of lines of JSON. A client that accepts it may get the first entries of a large folder in a line
 * before the whole listing.
 */
export const LINES_TYPE = 'application/x-ndjson'

/** `true` requests `totalSize` for folders in a listing. */
export const FOLDER_SIZES_HEADER = 'X-Folder-Sizes'

export interface FileEntry extends Entry {
  /** The content of a text file, for users who may download. */
  content?: string
  checksums?: Checksums
  /** Of a picture that can be decoded. */
  resolution?: Resolution
}

export interface Listing extends Entry {
  items: Entry[]
  numDirs: number
  numFiles: number
  sorting: Sorting
  /** The disk ignores the case of names in this folder; absent if it does not, or if the folder is empty. */
  foldsCase?: true
}

/** A row of the recursive listing (docs/api.md 1.6). */
export type FlatEntry = Pick<Entry, 'path' | 'name' | 'size' | 'modified' | 'isDir'> & {
  /** Why an archive would not contain it, or not its content; absent otherwise. */
  leftOut?: FlatLeftOut | undefined
}

export const FLAT_LEFT_OUT = ['special', 'link', 'reserved', 'unreadable'] as const
export type FlatLeftOut = (typeof FLAT_LEFT_OUT)[number]

export const SORT_KEYS = ['name', 'size', 'modified'] as const
export type SortKey = (typeof SORT_KEYS)[number]

export interface Sorting {
  by: SortKey
  /** True is A to Z, smallest first, oldest first (docs/decisions.md 4). */
  asc: boolean
}

export interface Usage {
  /** Size of the file system that holds the folder, in bytes. */
  total: number
  /** The used bytes of that file system, without those in the trash that count as free. */
  used: number
  /**
   * The bytes that the user can still write. A file system may reserve some for its administrator, and the server some for its
   * database. What a write of the user may remove from the trash counts as free.
   */
  free: number
}

/** The usage as a user sees it. */
export interface UserUsage extends Usage {
  /** How many items that the user had deleted were removed from the trash to make room for writes, since the server started. */
  removedFromTrash?: number | undefined
  /** What the user has deleted on that file system, and the trash still holds, in bytes. */
  trash?: OwnTrash | undefined
}

export interface OwnTrash {
  bytes: number
  /** The part of `bytes` that counts as free, since a write of the user may remove it. */
  freeBytes: number
}

export const CHECKSUM_ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha512'] as const
export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number]
export type Checksums = Partial<Record<ChecksumAlgorithm, string>>

/** Whether an entry is a folder with its items. */
export function isListing(entry: FileEntry | Listing): entry is Listing {
  return entry.isDir
}

/** The latest time that all clients support: the end of the year 9999, in milliseconds. */
export const LATEST_MS = 253_402_300_799_000

/** The earliest time that RFC 3339 can express: the beginning of the year 1. */
const EARLIEST_MS = -62_135_596_800_000

/** Limits a time to what all clients support; file systems return others too. */
export function clampTime(timeMs: number): number {
  // Also for NaN.
  if (!(timeMs > EARLIEST_MS)) return EARLIEST_MS
  return Math.min(timeMs, LATEST_MS)
}

/** Parses a client's time in milliseconds since 1970, which may be negative; undefined if it is absent or invalid. */
export function sentTime(text: string | undefined): number | undefined {
  // Number would convert an empty text to 0.
  const timeMs = text?.trim() ? Number(text) : Number.NaN
  return timeMs >= EARLIEST_MS && timeMs <= LATEST_MS ? timeMs : undefined
}
