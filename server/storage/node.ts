/** A file or folder of the tree, and its bytes: what the storage takes and returns. */
import type { TreePath } from '#wire/paths.ts'

export type ByteStream = ReadableStream<Uint8Array>

/**
 * Where new content comes from. An owned file lies in a folder that the storage gave out for it; it
 * becomes the new file when the write succeeds, and stays where it is when the write fails.
 */
export type Source = ByteStream | Uint8Array | { ownedFile: string }

/** A span of bytes, both ends included. */
export interface ByteRange {
  first: number
  last: number
}

export type NodeKind = 'file' | 'folder' | 'pipe' | 'socket' | 'device' | 'danglingLink'

/** One thing in the tree, as the storage sees it. */
export interface Node {
  path: TreePath
  /** Where it lies after links are resolved; the same as `path` where there are none. */
  real: TreePath
  /** Of the thing a link leads to; a dangling link's own. */
  kind: NodeKind
  isLink: boolean
  sizeBytes: number
  modifiedMs: number
  /** st_mode: permission and kind bits. */
  mode: number
  /** Changes whenever the content is replaced or edited. Opaque; equal means unchanged. */
  version: string
  /** Stays while the content of a file or the names in a folder change, and goes with the object. Opaque. */
  identity: string
  /** Known from a listing: where it lies, names that differ only by case are one name. */
  foldsCase: boolean
}

/** The beginning of a file. */
export interface Start {
  bytes: Uint8Array
  /** There is no more of it. */
  isAll: boolean
}

/** A file that is open until `bytes` has ended or is cancelled, or until `close`. */
export interface Opened {
  node: Node
  /** Made when it is asked for. */
  readonly bytes: ByteStream
  /** For whoever asks for no `bytes`. */
  close(): void
  /** What `bytes` holds of the file; undefined is all of it. */
  range: ByteRange | undefined
  /** All of `bytes` at once, if the system has them in memory; absent where nobody can tell. */
  cached?(): Uint8Array<ArrayBuffer> | undefined
  /** A name of the open file on the disk, as long as that is open; undefined for none. */
  disk: string | undefined
}
