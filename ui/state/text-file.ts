/** Reads the text of a file, with the version that a save must still find. */
import * as api from '#ui/api/resources.ts'
import { type DecodedText, decodeText, judgeText } from '#ui/lib/text-bytes.ts'
import { isListing } from '#wire/entry.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'

/** The file as the text was made from it. */
export interface Base {
  text: string
  mark: boolean
  etag: string | undefined
}

/** The text of a file and its version; the bytes themselves where the text alone may deceive. */
export async function readText(
  file: api.ReadFile,
  path: TreePath,
): Promise<DecodedText & { etag: string | undefined }> {
  const judged = judgeText(file.content ?? '', file.size)
  if (judged) return { ...judged, etag: file.etag }
  const { bytes, etag } = await api.readBytes(path)
  return { ...decodeText(bytes), etag }
}

/** The file as it is now, or null when it is gone. */
export async function readAgain(path: TreePath): Promise<Base | null> {
  try {
    const entry = await api.stat(path)
    return isListing(entry) ? null : await readText(entry, path)
  } catch (error) {
    if (isFault(error, 'notFound')) return null
    throw error
  }
}
