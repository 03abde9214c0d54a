/** What the server and the thread of the index say to each other. */
import type { OwnPaths } from '#server/storage/server-files.ts'
import type { TreePath } from '#wire/paths.ts'

export interface Opening {
  /** A descriptor of the served root, in this process. */
  root: number
  own: OwnPaths
  /** Where the table is kept; empty for nowhere. */
  file: string
  /** The tree and the program that a kept table must be of. */
  of: string
  /** The thread gives up where its arrays would take more. */
  memoryBytes: number
  /** What others change is in an answer that begins this long after; by how large the tree is when absent. */
  freshMs: number | undefined
  /** Files that others change where they are have their size in an answer that begins this long after. */
  readAgainMs: number
}

export type Question =
  | { open: Opening }
  | { search: number; folder: TreePath; query: string }
  /** Another batch of a search is wanted. */
  | { more: number }
  | { stop: number }
  | { sizes: number; folder: TreePath }
  /** The server itself has changed something at these paths. */
  | { changed: TreePath[] }
  | { save: number }

/** How a search begins, when the index answers it. */
export interface Begun {
  /** Since all folders were looked at. */
  ageMs: number
  /** Names in the index. */
  names: number
  /** Where names that differ only by case are one name. */
  foldsCase: 'nowhere' | 'everywhere' | 'somewhere'
  /** Folders that the index does not cover. */
  uncovered: TreePath[]
}

export interface Batch {
  /** Paths from the searched folder, without a slash at the beginning; each ended by a NUL. */
  paths: Uint8Array<ArrayBuffer>
  /** `BITS` of each. */
  bits: Uint8Array<ArrayBuffer>
  isLast: boolean
}

/** Subfolders of a folder by their names, each ended by a NUL, and the bytes of all files in each. */
export interface Sizes {
  names: Uint8Array<ArrayBuffer>
  bytes: Float64Array<ArrayBuffer>
}

export type State = 'building' | 'ready' | 'tooLarge' | 'failed'

export interface IndexStatus {
  state: State | 'waiting'
  names: number
  folders: number
  memoryBytes: number
  /** When all folders were looked at; 0 for never. */
  checkedMs: number
}

export type Answer =
  | { search: number; begun: Begun | undefined }
  | { search: number; batch: Batch }
  | { sizes: number; found: Sizes | undefined }
  | { saved: number }
  | { status: IndexStatus }
  | { log: string }
