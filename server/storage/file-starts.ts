/** The first bytes of several files, which are read together. */

/** How many free bytes are placed before and after those of a file, for example for a header. */
export interface Room {
  before: number
  after: number
}

/** How many bytes of files are read, and with how much room around them. */
export interface StartOptions {
  /** The maximum number of bytes to read of each file. */
  bytesMax: number
  /** The room of each file; none if absent. */
  room?: readonly Room[]
}

/** The first bytes of a file. */
export interface FileStart {
  bytes: Uint8Array
  /** Whether these are all its bytes. */
  isAll: boolean
  /**
   * `bytes` with the room around them, which is 0. The next file follows directly in memory. Undefined if the
   * file has another length than when it was listed.
   */
  framed?: Uint8Array | undefined
}

/** The first bytes of several files, in the order of the request; undefined for a file that cannot be read. */
export type FileStarts = (FileStart | undefined)[]
