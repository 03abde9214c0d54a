/** The first bytes of several files, which are read together. */

/** How many bytes of files are read, and how many bytes are left free around them, for example for headers. */
export interface StartOptions {
  /** The most bytes of a file. */
  bytesMax: number
  /** The free bytes before and after those of each file; none if absent. */
  room?: readonly { before: number; after: number }[]
}

/** The first bytes of a file. */
export interface FileStart {
  bytes: Uint8Array
  /** Whether these are all its bytes. */
  isAll: boolean
  /**
   * `bytes` with the free bytes around them, which are 0. The next file follows directly in memory. Undefined if the
   * file has another length than when it was listed.
   */
  framed?: Uint8Array | undefined
}

/** The first bytes of several files, in the order of the request; undefined for a file that cannot be read. */
export type FileStarts = (FileStart | undefined)[]
