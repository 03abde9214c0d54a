/** Formats the duration of a recording: `0:07`, `1:02:03`. */
import { cached } from './format.ts'

export function formatLength(seconds: number): string {
  const whole = Math.round(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => digits(index === 0 ? 1 : 2).format(part)).join(':')
}

const digits = (least: number) =>
  cached(
    `digits ${least}`,
    (tag) => new Intl.NumberFormat(tag, { minimumIntegerDigits: least, useGrouping: false }),
  )
