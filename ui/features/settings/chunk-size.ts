/** The chunk size of uploads as text (docs/specification.md 5). Pure. */
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { parseSize } from '#wire/units.ts'

/** Parses a size such as `10 MB`; an invalid text, an empty one and zero are 1 MB. */
export function chunkSizeOf(text: string): number {
  return parseSize(text) || UI_LIMITS.tusChunkFallbackBytes
}
