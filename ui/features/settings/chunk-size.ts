/** The size of an upload's parts, as people write it (docs/specification.md 5). Pure. */
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { parseSize } from '#wire/units.ts'

/** Bytes of a size such as `10 MB`; what is no size, or none at all, is 1 MB. */
export function chunkSizeOf(text: string): number {
  return parseSize(text) || UI_LIMITS.tusChunkFallbackBytes
}
