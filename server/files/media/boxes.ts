/** Reads the boxes of the ISO base media file format (ISO 14496-12): of films, and of raw files with the ending CR3. */
import { type FileByteReader, fourLetters } from './byte-reader.ts'

/** The most boxes that are read in one box or file. */
const BOXES_MAX = 64

export interface BoxHead {
  type: string
  /** The range of the content. */
  start: number
  end: number
}

/** Yields the boxes from `offset` to `end`, until one is damaged or cannot be read. */
export async function* boxes(
  reader: FileByteReader,
  offset: number,
  end: number,
): AsyncGenerator<BoxHead> {
  for (let count = 0; count < BOXES_MAX && offset + 8 <= end; count += 1) {
    const head = await reader.at(offset, Math.min(16, end - offset))
    if (!head) return
    const short = head.getUint32(0)
    if (short === 1 && head.byteLength < 16) return
    const size = short === 1 ? Number(head.getBigUint64(8)) : short === 0 ? end - offset : short
    const headBytes = short === 1 ? 16 : 8
    if (size < headBytes || offset + size > end) return
    yield { type: fourLetters(head, 4), start: offset + headBytes, end: offset + size }
    offset += size
  }
}
