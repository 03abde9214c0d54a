/** The chunk size of uploads as text (docs/specification.md 5). Pure. */
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { parseSize } from '#wire/units.ts'

/** Parses a size such as `10 MB`; an invalid text, an empty one and zero are 1 MB. */
export function chunkSizeOf(text: string): number {
  return parseSize(text) || UI_LIMITS.tusChunkFallbackBytes
}

/** @returns the exact size in the largest unit that needs no fraction: `10 MiB`, `1023 KiB` */
export function chunkSizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB']
  let unit = 0
  let value = bytes
  while (value >= 1024 && value % 1024 === 0 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${value} ${units[unit]}`
}
