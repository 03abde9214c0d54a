/** The types of files, folders and their bytes that a storage takes and returns. */
import type { TreePath } from '#wire/paths.ts'

export type ByteStream = ReadableStream<Uint8Array>

/**
 * The source of new content. An owned file is in the folder for unfinished uploads (`LocalStorage.uploadsFolder`). It
 * becomes the new file when the write succeeds. When the write fails, it keeps its name and content, but may have the
 * mode, owner, time and extended attributes that the new file was to have.
 */
export type Source = ByteStream | Uint8Array | { ownedFile: string }

/** A source, or a function that opens it after the checks of access. */
export type LazySource = Source | (() => ByteStream | Promise<ByteStream | Uint8Array>)

/** A range of bytes, both ends included. */
export interface ByteRange {
  first: number
  last: number
}

export type NodeKind = 'file' | 'folder' | 'pipe' | 'socket' | 'device' | 'danglingLink'

/** A file, a folder or a special file. */
export interface Node {
  path: TreePath
  /** The path with links resolved; equal to `path` if there are none. */
  real: TreePath
  /** The kind of a link's target; `danglingLink` if the target does not exist. */
  kind: NodeKind
  isLink: boolean
  sizeBytes: number
  modifiedMs: number
  /** st_mode: permission and type bits. */
  mode: number
  /** Changes whenever the content is replaced or edited. Opaque; equal means unchanged. */
  version: string
  /** Unique on its file system. Stays the same while content changes, until the object is deleted. Opaque. */
  identity: string
  /**
   * When the object was created, which no program can set; 0 if the file system does not tell. Undefined if the node is
   * from a listing.
   */
  bornMs?: number
  /** The number of its file system while the server runs. Undefined if the node is from a listing. */
  device?: number
  /** Whether the folder of the entry ignores the case of names; false unless the node is from a listing. */
  foldsCase: boolean
}

/** A file that is open until `bytes` has ended or is cancelled, or `close` is called. */
export interface Opened {
  node: Node
  /** Created on first access. */
  readonly bytes: ByteStream
  /** Must be called if `bytes` is never read. */
  close(): void
  /** Another range inside the file. The file must be open until the stream has ended, and stays open then. */
  part(range: ByteRange): ByteStream
  /** The range that `bytes` holds; undefined means all. */
  range: ByteRange | undefined
  /** All bytes at once, if they are in the page cache; absent on systems that cannot tell. */
  cached?(): Uint8Array<ArrayBuffer> | undefined
  /** A path to the open file, valid until the file is closed; undefined if it is not on a disk. */
  disk: string | undefined
}

/**
 * Why a copy or an archive leaves an entry out: a pipe, a socket or a device; a link that cannot be followed; a name that is
 * reserved for snapshots; the server's account may not read it; the user, who has named it, has no access.
 */
export type LeftOutReason = 'special' | 'link' | 'reserved' | 'unreadable' | 'denied'
