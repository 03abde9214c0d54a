/**
 * Reads files of this device so that no mixture of two versions of one is stored: bytes are read to memory, and the
 * browser is asked for the file again before the server gets the last of them. Chromium refuses to read a file whose
 * modification time has changed since it was chosen.
 */
import { handleOf } from '#ui/lib/gestures/file-handles.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { ChangedFileError, UnreadableFileError } from './retry.ts'

/**
 * Reads a small file.
 *
 * @throws UnreadableFileError (it cannot be read); ChangedFileError (it was changed while it was read)
 */
export async function readWhole(file: File): Promise<Blob> {
  const bytes = await readPart(file, 0, file.size)
  await requireReadable(file)
  return bytes
}

/** A part of a file, as the library of tus expects it. */
interface Part {
  value: Blob
  done: boolean
}

/**
 * A file that the library of tus reads. The last bytes are a request of their own, which begins after a check: without
 * them, the server publishes nothing.
 */
export class CheckedFile {
  readonly size: number
  readonly #file: File
  /** The last bytes, read together with those before them. */
  #tail: Blob | undefined
  /** Why reading failed: the library replaces the error by one of its own. */
  error: UnreadableFileError | ChangedFileError | undefined

  constructor(file: File) {
    this.#file = file
    this.size = file.size
  }

  async slice(start: number, end: number): Promise<Part> {
    try {
      return await this.#read(start, Math.min(end, this.size))
    } catch (error) {
      if (error instanceof ChangedFileError || error instanceof UnreadableFileError) {
        this.error = error
      }
      throw error
    }
  }

  close(): void {
    this.#tail = undefined
  }

  async #read(start: number, end: number): Promise<Part> {
    const tailStart = Math.max(0, this.size - UI_LIMITS.uploadTailBytes)
    const done = end === this.size
    if (done && start < tailStart) {
      const bytes = await this.#readPart(start, end)
      this.#tail = bytes.slice(tailStart - start)
      return { value: bytes.slice(0, tailStart - start), done: false }
    }
    const isTail = start === tailStart && done
    const value = (isTail && this.#tail) || (await this.#readPart(start, end))
    if (done) await requireUnchanged(this.#file)
    return { value, done }
  }

  /** A file that could be read before was changed since. */
  async #readPart(start: number, end: number): Promise<Blob> {
    try {
      return await readPart(this.#file, start, end)
    } catch (error) {
      throw start > 0 ? new ChangedFileError('', { cause: error }) : error
    }
  }
}

/** @returns a copy in memory, which does not change with the file */
async function readPart(file: File, start: number, end: number): Promise<Blob> {
  try {
    return new Blob([await file.slice(start, end).arrayBuffer()], { type: file.type })
  } catch (cause) {
    throw new UnreadableFileError('', { cause })
  }
}

/** @throws ChangedFileError */
async function requireReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer()
  } catch (cause) {
    throw new ChangedFileError('', { cause })
  }
}

/**
 * Like `requireReadable`, and compares the file with what its handle opens now, if it has one.
 *
 * @throws ChangedFileError
 */
async function requireUnchanged(file: File): Promise<void> {
  await requireReadable(file)
  const current = await (await handleOf(file))?.getFile().catch((cause: unknown) => {
    // Without permission, the browser does not say whether the file has changed.
    if (cause instanceof DOMException && cause.name === 'NotAllowedError') return undefined
    throw new ChangedFileError('', { cause })
  })
  const isSame =
    !current || (current.size === file.size && current.lastModified === file.lastModified)
  if (!isSame) throw new ChangedFileError()
}
