/** Groups pictures by the day, or the month, on which they were taken. Pure. */

import type { Entry } from '#wire/api/entry.ts'
import type { AlbumFacts } from '#wire/api/media.ts'
import { ON_DEMAND_LIMITS } from '../on-demand-limits.ts'

/** The pictures of one day, or of one month. */
export interface DateGroup {
  /** The time of one picture of the group: any time within the day or month. */
  date: Date
  /** Whether this group and all others are days or months. */
  unit: 'day' | 'month'
  items: Entry[]
}

/**
 * @param taken ISO time from the metadata: of most pictures in the camera's local time, of some in UTC (`Z`)
 * @returns a time whose local form is the camera's time, so that the day is that of the camera; UTC times become local
 */
export function momentTaken(taken: string): Date {
  return new Date(taken.replace(/[+-]\d\d:\d\d$/, ''))
}

/**
 * Groups pictures by day, or by month if there are many days or few pictures a day. A picture without a date counts as
 * taken when it was last modified.
 *
 * @param asc whether the first day comes first
 * @returns undefined if no picture has a date
 */
export function groupByDate(
  pictures: readonly Entry[],
  factsOf: (entry: Entry) => AlbumFacts | undefined,
  asc: boolean,
): DateGroup[] | undefined {
  const dated = pictures.map((entry) => {
    const taken = factsOf(entry)?.taken
    return { entry, taken, date: taken ? momentTaken(taken) : new Date(entry.modified) }
  })
  if (!dated.some(({ taken }) => taken)) return undefined
  dated.sort((a, b) => a.date.getTime() - b.date.getTime())
  if (!asc) dated.reverse()
  const days = new Set(dated.map(({ date }) => keyOf(date, 'day')))
  const isSparse =
    days.size > ON_DEMAND_LIMITS.albumShortDaysMax &&
    dated.length < days.size * ON_DEMAND_LIMITS.albumPicturesPerDayMin
  const unit = days.size > ON_DEMAND_LIMITS.albumDaysMax || isSparse ? 'month' : 'day'
  const groups = Map.groupBy(dated, ({ date }) => keyOf(date, unit))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first ? [{ date: first.date, unit, items: group.map(({ entry }) => entry) }] : []
  })
}

function keyOf(date: Date, unit: DateGroup['unit']): string {
  const day = unit === 'day' ? date.getDate() : 0
  return `${date.getFullYear()} ${date.getMonth()} ${day}`
}
