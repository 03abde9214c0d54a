/** The messages between the server and the thread of the name index. */
import type { OwnPaths } from '#server/storage/local/confine/server-files.ts'
import type { HandleAddress } from '#server/storage/local/handles/handle.ts'
import type { TreePath } from '#wire/paths.ts'

export interface OpenRequest {
  /** The served root in this process. */
  root: HandleAddress
  ownPaths: OwnPaths
  /** The file of the saved table; empty if it is not saved. */
  file: string
  /** Identifies the tree and the program that a saved table must match. */
  madeFrom: string
  /** The index is disabled if its arrays would exceed this. */
  memoryBytes: number
  /** Changes by other programs appear after this time; by the size of the tree if absent. */
  freshMs: number | undefined
  /** Sizes of files that other programs changed in place are updated after this time. */
  readAgainMs: number
}

export type IndexRequest =
  | { open: OpenRequest }
  | { search: number; folder: TreePath; query: string }
  /** Requests another batch of a search. */
  | { more: number }
  | { stop: number }
  | { sizes: number; folder: TreePath }
  /** The server has changed these paths. */
  | { changed: TreePath[] }
  | { save: number }
  /** Asks whether the thread goes on. */
  | { ping: true }

/** The data of a search before its first batch. */
export interface SearchStart {
  /** Milliseconds since all folders were checked. */
  ageMs: number
  /** Number of names in the index. */
  names: number
  /** In which part of the tree the file system ignores case. */
  foldsCase: 'nowhere' | 'everywhere' | 'somewhere'
  /** Folders that the index does not cover. */
  uncovered: TreePath[]
}

export interface NameBatch {
  /** Paths relative to the searched folder, each ended by a NUL. */
  paths: Uint8Array<ArrayBuffer>
  /** The `BITS` of each. */
  bits: Uint8Array<ArrayBuffer>
  isLast: boolean
}

/** Names of subfolders, each ended by a NUL, and the total size of each. */
export interface FolderSizes {
  names: Uint8Array<ArrayBuffer>
  bytes: Float64Array<ArrayBuffer>
}

export type IndexState = 'building' | 'ready' | 'tooLarge' | 'failed'

export interface IndexStatus {
  state: IndexState | 'waiting'
  names: number
  folders: number
  memoryBytes: number
  /** When all folders were last checked; 0 if never. */
  checkedMs: number
}

export type IndexResponse =
  | { search: number; start: SearchStart | undefined }
  | { search: number; batch: NameBatch }
  | { sizes: number; result: FolderSizes | undefined }
  | { saved: number }
  | { pong: true }
  | { status: IndexStatus }
  | { log: string }
