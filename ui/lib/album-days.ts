/** Groups pictures by the day, or the month, on which they were taken. Pure. */
import type { Entry } from '#wire/entry.ts'
import type { AlbumFacts } from '#wire/media.ts'

/** With more days than this, pictures are grouped by month. */
const DAYS_MAX = 40

export interface Day {
  /** A time within the day or month. */
  date: Date
  /** Whether the groups are days or months. */
  unit: 'day' | 'month'
  items: Entry[]
}

/** The time a picture was taken: in the camera's local time, or for a time in UTC in the reader's local time. */
export function momentTaken(taken: string): Date {
  return new Date(taken.replace(/[+-]\d\d:\d\d$/, ''))
}

/**
 * @param asc the first day first
 * @returns undefined if no picture has a date; pictures without a date are sorted by their modification time
 */
export function daysOf(
  pictures: readonly Entry[],
  factsOf: (entry: Entry) => AlbumFacts | undefined,
  asc: boolean,
): Day[] | undefined {
  const dated = pictures.map((entry) => {
    const taken = factsOf(entry)?.taken
    return { entry, taken, date: taken ? momentTaken(taken) : new Date(entry.modified) }
  })
  if (!dated.some(({ taken }) => taken)) return undefined
  dated.sort((a, b) => a.date.getTime() - b.date.getTime())
  if (!asc) dated.reverse()
  const days = new Set(dated.map(({ date }) => keyOf(date, 'day')))
  const unit = days.size > DAYS_MAX ? 'month' : 'day'
  const groups = Map.groupBy(dated, ({ date }) => keyOf(date, unit))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first ? [{ date: first.date, unit, items: group.map(({ entry }) => entry) }] : []
  })
}

function keyOf(date: Date, unit: Day['unit']): string {
  const day = unit === 'day' ? date.getDate() : 0
  return `${date.getFullYear()} ${date.getMonth()} ${day}`
}
