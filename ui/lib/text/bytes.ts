/** Byte counts in binary units (docs/specification.md 9). */
const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const
export type ByteUnit = (typeof BYTE_UNITS)[number]

/** @returns `bytes` in the largest unit in which the value is at least 1; the formatter rounds it */
export function splitBytes(bytes: number): { value: number; unit: ByteUnit } {
  let value = bytes
  let unit: ByteUnit = 'B'
  for (const largerUnit of BYTE_UNITS.slice(1)) {
    // From 1023.95 on, the formatter would round to 1024.0.
    if (Math.abs(value) < 1023.95) break
    value /= 1024
    unit = largerUnit
  }
  return { value, unit }
}
