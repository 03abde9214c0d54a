/** Byte counts in binary units (docs/specification.md 9). */
const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const
export type ByteUnit = (typeof BYTE_UNITS)[number]

/** `bytes` as a number below 1024 and its unit; the formatter rounds. */
export function splitBytes(bytes: number): { value: number; unit: ByteUnit } {
  let value = bytes
  let unit: ByteUnit = 'B'
  for (const next of BYTE_UNITS.slice(1)) {
    if (Math.abs(value) < 1023.95) break
    value /= 1024
    unit = next
  }
  return { value, unit }
}
