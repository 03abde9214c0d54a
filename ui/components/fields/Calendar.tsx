import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import {
  firstWeekday,
  formatDateOfMonth,
  formatMonth,
  formatWeekday,
  formatWholeDay,
} from '#ui/i18n/date-input.ts'
import { isRightToLeft } from '#ui/lib/page/direction.ts'
import {
  addDays,
  addMonths,
  dayOf,
  nearestAllowed,
  startOfWeek,
  weeksOf,
} from '#ui/lib/text/calendar.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { popoverHost, usePopover } from '../overlays/use-popover.ts'
import './Calendar.css'

interface CalendarProps {
  label: string
  /** Days are `2026-11-18`; empty if none is chosen. */
  value: string
  min?: string | undefined
  max?: string | undefined
  /** The element that opens the calendar. */
  anchor: HTMLElement
  onChoose(day: string): void
  onClose(): void
}

/**
 * One month in a popover. Arrow keys step through days, Page Up and Page Down through months, Home and End go to the ends
 * of the week; days outside `min` and `max` are skipped.
 */
export function Calendar({ label, value, min, max, anchor, onChoose, onClose }: CalendarProps) {
  const popover = useRef<HTMLDivElement>(null)
  const today = dayOf(new Date())
  const [cursor, setCursor] = useState(nearestAllowed(value || today, min, max))
  /** Whether keys were used, so that the focus follows the cursor. */
  const [isFollowing, setFollowing] = useState(false)
  usePopover(popover, { anchor, onClose, firstFocus: (element) => buttonOf(element, cursor) })

  const first = firstWeekday()
  const weeks = weeksOf(cursor, first)
  const isAllowed = (day: string) => (!min || day >= min) && (!max || day <= max)

  function onKeyDown(event: KeyboardEvent) {
    const target = stepOf(event.key, cursor, first)
    if (!target) return
    event.preventDefault()
    event.stopPropagation()
    setCursor(nearestAllowed(target, min, max))
    setFollowing(true)
  }

  /** Shows the previous or next month, unless all its days are outside of `min` and `max`. */
  function monthButton(icon: 'chevron-left' | 'chevron-right', count: number) {
    const month = addMonths(cursor, count)
    const day = nearestAllowed(month, min, max)
    return (
      <IconButton
        icon={icon}
        mirror
        label={formatMonth(month)}
        disabled={day.slice(0, 7) !== month.slice(0, 7)}
        onClick={() => {
          setCursor(day)
          setFollowing(false)
        }}
      />
    )
  }

  // The day may be in another month, which must be rendered first. A layout effect runs before the next key press.
  useLayoutEffect(() => {
    if (isFollowing && popover.current) buttonOf(popover.current, cursor)?.focus()
  }, [isFollowing, cursor])

  return createPortal(
    <div ref={popover} className="Calendar" role="dialog" aria-label={label} popover="auto">
      <div className="Calendar__head">
        {monthButton('chevron-left', -1)}
        <h3 className="Calendar__month" aria-live="polite">
          {formatMonth(cursor)}
        </h3>
        {monthButton('chevron-right', 1)}
      </div>
      <table className="Calendar__grid">
        <thead>
          <tr>
            {weeks[0]?.map(formatWeekday).map(({ short, full }) => (
              <th key={full} scope="col" abbr={full}>
                {short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <button
                    type="button"
                    className="Calendar__day"
                    data-day={day}
                    data-outside={!day.startsWith(cursor.slice(0, 7)) || undefined}
                    aria-label={formatWholeDay(day)}
                    aria-pressed={day === value}
                    aria-current={day === today ? 'date' : undefined}
                    tabIndex={day === cursor ? 0 : -1}
                    disabled={!isAllowed(day)}
                    onClick={() => onChoose(day)}
                    onKeyDown={onKeyDown}
                  >
                    {formatDateOfMonth(day)}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>,
    popoverHost(anchor),
  )
}

function buttonOf(popover: HTMLElement, day: string): HTMLElement | null {
  return popover.querySelector<HTMLElement>(`[data-day="${day}"]:not(:disabled)`)
}

/** @returns the day that the key moves to; undefined for other keys. Left and right are those of the screen. */
function stepOf(key: string, day: string, first: number): string | undefined {
  const forwards = isRightToLeft() ? -1 : 1
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -forwards)
    case 'ArrowRight':
      return addDays(day, forwards)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'PageUp':
      return addMonths(day, -1)
    case 'PageDown':
      return addMonths(day, 1)
    case 'Home':
      return startOfWeek(day, first)
    case 'End':
      return addDays(startOfWeek(day, first), 6)
    default:
      return undefined
  }
}
