/** Sizes and durations, also in written form. */

export const DAY_MS = 24 * 60 * 60_000

const BINARY = { B: 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 } as const
const SECONDS = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 } as const

/**
 * Parses `"10MB"`, `"1.5 GiB"`, `"512"` as bytes (binary units, docs/specification.md 5); undefined if it is invalid.
 */
export function parseSize(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(?:([KMGT])(?:I?B)?|B)?\s*$/i.exec(text)
  if (!match) return undefined
  const unit = (match[2]?.toUpperCase() ?? 'B') as keyof typeof BINARY
  return Math.round(Number(match[1]) * BINARY[unit])
}

/** Formats bytes in binary units: 1536 is `1.5 KiB`. For logs and the command line; the interface uses Intl. */
export function formatEnglishSize(bytes: number): string {
  let unit = 0
  let value = bytes
  const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  while (value >= 1024 && unit < names.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${names[unit]}`
}

/** @returns a time in RFC 3339; empty for 0, which means never */
export function timeOrEmpty(ms: number): string {
  return ms === 0 ? '' : new Date(ms).toISOString()
}

/** Parses `"2h30m"`, `"90s"`, `"1d"` as seconds; undefined if it is invalid. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(?:\.\d+)?(ms|s|m|h|d))+$/.test(text)) return undefined
  let seconds = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    seconds += Number(amount) * SECONDS[unit as keyof typeof SECONDS]
  }
  return seconds
}
