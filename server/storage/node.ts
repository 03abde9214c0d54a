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

/** A file, a folder or a special file. */
export interface Node {
  path: TreePath
  /** Where it lies after links are resolved; the same as `path` where there are none. */
  real: TreePath
  /** The kind of what a link leads to; `danglingLink` when it leads to nothing. */
  kind: NodeKind
  isLink: boolean
  sizeBytes: number
  modifiedMs: number
  /** st_mode: permission and kind bits. */
  mode: number
  /** Changes whenever the content is replaced or edited. Opaque; equal means unchanged. */
  version: string
  /** Stays the same while content or names in a folder change, until the object is deleted. Opaque. */
  identity: string
  /** Whether its folder ignores the case of names; known from a listing only. */
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
  /** Made at the first access. */
  readonly bytes: ByteStream
  /** To be called where `bytes` is never read. */
  close(): void
  /** What `bytes` holds of the file; undefined is all of it. */
  range: ByteRange | undefined
  /** All of `bytes` at once, if they are in the page cache; absent on systems that cannot tell. */
  cached?(): Uint8Array<ArrayBuffer> | undefined
  /** A path to the open file, valid until it is closed; undefined for none. */
  disk: string | undefined
}
