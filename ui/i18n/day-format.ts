/** Formats the day and the time of a moment apart, for lists that are grouped by day. */
import { calendarDaysBetween, dayFormat, dayName, timeFormat } from './format.ts'

/** The time of day of a moment, below the name of its day: `14:32`. */
export function formatTime(iso: string): string {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? '' : timeFormat().format(date)
}

/** The day of a moment: `Today`, `Yesterday`, else the date. */
export function formatDay(iso: string, now = new Date()): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  const days = calendarDaysBetween(now, date)
  return days === 0 || days === -1 ? dayName(days) : dayFormat().format(date)
}
