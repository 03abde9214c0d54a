/** The beginning or the end of a text that is too large to be shown as a whole. */
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { decodeText } from '#ui/lib/text/text-bytes.ts'
import type { FileSource } from '#ui/state/file/file-source.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { REPLACEMENT } from '#wire/guess-encoding.ts'
import { parsePath } from '#wire/paths.ts'

export type ExcerptPart = 'start' | 'end'

export interface Excerpt {
  /** Whole lines, if the part has a line end. */
  text: string
  /** How many bytes were read, of how many of the file. */
  bytes: number
  fileBytes: number
}

/** @throws as `FileSource.readPart` */
export async function readExcerpt(
  source: FileSource,
  file: Pick<FileEntry, 'path'>,
  part: ExcerptPart,
  signal: AbortSignal,
): Promise<Excerpt> {
  const path = parsePath(file.path)
  const length = ON_DEMAND_LIMITS.excerptBytes
  if (part === 'start') {
    const { bytes, fileBytes } = await source.readPart(path, { first: length }, signal)
    return excerptOf(decodeText(bytes).text, bytes, fileBytes, part)
  }
  // Only the first bytes of a text say that it is UTF-16, of which each character has an even number of bytes.
  const { bytes: mark } = await source.readPart(path, { first: 2 }, signal)
  const { bytes, fromByte, fileBytes } = await source.readPart(path, { last: length }, signal)
  const { encoding } = decodeText(mark)
  const text = encoding.startsWith('utf-16')
    ? new TextDecoder(encoding).decode(bytes.subarray(fromByte % 2))
    : decodeText(bytes).text
  return excerptOf(text, bytes, fileBytes, part)
}

function excerptOf(text: string, bytes: Uint8Array, fileBytes: number, part: ExcerptPart): Excerpt {
  const isCut = bytes.length < fileBytes
  return { text: isCut ? withoutCutLine(text, part) : text, bytes: bytes.length, fileBytes }
}

/** Removes the line, or the character, that the part cuts. */
function withoutCutLine(text: string, part: ExcerptPart): string {
  const at = part === 'start' ? text.lastIndexOf('\n') : text.indexOf('\n')
  if (at < 0) return trimReplacement(text, part)
  return part === 'start' ? text.slice(0, at + 1) : text.slice(at + 1)
}

function trimReplacement(text: string, part: ExcerptPart): string {
  if (part === 'start') return text.endsWith(REPLACEMENT) ? text.slice(0, -1) : text
  return text.replace(new RegExp(`^${REPLACEMENT}+`), '')
}
