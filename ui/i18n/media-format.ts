/** Formats dates, exposures and positions of pictures and films. */
import { type DateGroup, momentTaken } from '#ui/lib/entries/album-days.ts'
import type { Exposure, GeoPosition } from '#wire/api/media.ts'
import { cached, formatMoment } from './format.ts'
import { t } from './i18n.ts'

export function formatTaken(taken: string): string {
  return formatMoment(momentTaken(taken))
}

/** The heading of the pictures of one day or month: `Saturday, 9 March 2024`. */
export function formatGroupDate({ date, unit }: Pick<DateGroup, 'date' | 'unit'>): string {
  const parts = unit === 'day' ? ({ weekday: 'long', day: 'numeric' } as const) : {}
  const format = cached(
    `heading ${unit}`,
    (tag) => new Intl.DateTimeFormat(tag, { ...parts, month: 'long', year: 'numeric' }),
  )
  return format.format(date)
}

/** `1/250 s · f/2.8 · ISO 400 · 35 mm` */
export function formatExposure({ seconds, aperture, iso, focalLength }: Exposure): string {
  const parts = [
    seconds !== undefined && t('media.shutter', { time: shutter(seconds) }),
    aperture !== undefined && `f/${digits(aperture, 1, 1)}`,
    iso !== undefined && `ISO ${digits(iso, 1)}`,
    focalLength !== undefined && inUnit(focalLength, 'millimeter', 1),
  ]
  return parts.filter((part) => part !== false).join(' · ')
}

/** `68.0917° N, 13.5° W` */
export function formatPosition({ latitude, longitude }: GeoPosition): string {
  const [north, east] = [latitude, longitude].map((value) => inUnit(Math.abs(value), 'degree', 4))
  const sides = {
    ns: latitude < 0 ? 'south' : 'north',
    ew: longitude < 0 ? 'west' : 'east',
  } as const
  return `${t(`media.${sides.ns}`, { degrees: north })}, ${t(`media.${sides.ew}`, { degrees: east })}`
}

/** Short exposure times are fractions, as on cameras. */
function shutter(seconds: number): string {
  if (seconds >= 0.3) return digits(seconds, 1, 1)
  return `1/${digits(1 / seconds, 1)}`
}

function digits(value: number, least: number, decimals = 0): string {
  const format = cached(
    `digits ${least} ${decimals}`,
    (tag) =>
      new Intl.NumberFormat(tag, {
        minimumIntegerDigits: least,
        maximumFractionDigits: decimals,
        useGrouping: false,
      }),
  )
  return format.format(value)
}

function inUnit(value: number, unit: 'millimeter' | 'degree', decimals: number): string {
  const format = cached(
    `${unit} ${decimals}`,
    (tag) =>
      new Intl.NumberFormat(tag, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'degree' ? 'narrow' : 'short',
        maximumFractionDigits: decimals,
      }),
  )
  return format.format(value)
}
