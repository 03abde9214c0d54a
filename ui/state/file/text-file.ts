/** Reads the text of a file, with the version that a save requires. */
import * as api from '#ui/api/files/resources.ts'
import { asUtf8Text, type DecodedText, decodeText } from '#ui/lib/text/text-bytes.ts'
import { isListing } from '#wire/api/entry.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { chosenEncoding } from './chosen-encodings.ts'

/** The version of the file from which the text was decoded. */
export interface Base {
  text: string
  /** Whether the file begins with a byte order mark, which the text omits. */
  hasMark: boolean
  etag: string | undefined
}

export interface ReadText extends DecodedText {
  etag: string | undefined
  /** The bytes, if they are not valid UTF-8: another encoding gives another text. */
  bytes?: Uint8Array
  /** Whether the bytes were requested, which the server records as an opening. */
  isRecorded: boolean
}

/**
 * Reads the text and the version of a file. If the text in `file` may have lost bytes when the server decoded it, the
 * bytes are requested and decoded here.
 *
 * @throws Fault as `readBytes` of ui/api/files/resources.ts
 */
export async function readText(file: api.ReadFile, path: TreePath): Promise<ReadText> {
  const decoded = asUtf8Text(file.content ?? '', file.size)
  if (decoded) return { ...decoded, etag: file.etag, isRecorded: false }
  const { bytes, etag } = await api.readBytes(path)
  return { ...decodeText(bytes, chosenEncoding(path)), etag, isRecorded: true, bytes }
}

/**
 * Reads a text that is shown although the user has not opened its file, so that no opening is recorded.
 *
 * @returns the text, or null if the file no longer exists
 * @throws Fault as `readUnopened` of ui/api/files/resources.ts, except for notFound
 */
export async function readUnopenedText(
  path: TreePath,
  signal?: AbortSignal,
): Promise<string | null> {
  try {
    const read = await api.readUnopened(path, signal)
    return decodeText(typeof read === 'string' ? new TextEncoder().encode(read) : read).text
  } catch (error) {
    if (isFault(error, 'notFound')) return null
    throw error
  }
}

/**
 * @returns the current version of the file, or null if it no longer exists
 * @throws Fault as `stat` of ui/api/files/resources.ts, except for notFound
 */
export async function readTextIfExists(path: TreePath): Promise<Base | null> {
  try {
    const entry = await api.stat(path)
    return isListing(entry) ? null : await readText(entry, path)
  } catch (error) {
    if (isFault(error, 'notFound')) return null
    throw error
  }
}
