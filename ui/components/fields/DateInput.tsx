import { type KeyboardEvent, useRef, useState } from 'react'
import { formatTypedDay, parseTypedDay } from '#ui/i18n/date-input.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { dayOf } from '#ui/lib/text/calendar.ts'
import { IconButton } from '../controls/IconButton.tsx'
import { Calendar } from './Calendar.tsx'
import './Input.css'

interface DateInputProps {
  /** For a label and a description outside of a `Field`. */
  id?: string
  'aria-describedby'?: string | undefined
  /** `2026-11-18`, or empty. */
  value: string
  /** The first and last day to choose. */
  min?: string | undefined
  max?: string | undefined
  /** An empty field is then invalid while the user types, and is not reported. */
  required?: boolean
  /** Called with a day, and with an empty text if the field was emptied. Other text is not reported. */
  onChange(day: string): void
}

/**
 * A day, to type or to pick from a calendar, in the language of the interface: a native date input follows the browser
 * instead.
 */
export function DateInput({
  value,
  min,
  max,
  required = false,
  onChange,
  ...native
}: DateInputProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLSpanElement>(null)
  const [isOpen, setOpen] = useState(false)
  // The typed text, until the field is left or another day is set.
  const [typed, setTyped] = useState<{ text: string; for: string }>()
  const text = typed?.for === value ? typed.text : formatTypedDay(value)
  const parse = (text: string) => (text.trim() === '' && !required ? '' : parseTypedDay(text))

  function type(text: string) {
    const day = parse(text)
    setTyped({ text, for: day ?? value })
    if (day !== undefined && day !== value) onChange(day)
  }

  function choose(day: string) {
    setTyped(undefined)
    setOpen(false)
    onChange(day)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    setOpen(true)
  }

  return (
    <span ref={box} className="Input">
      <input
        {...native}
        className="Input__text"
        autoComplete="off"
        inputMode="text"
        placeholder={formatTypedDay(dayOf(new Date()))}
        value={text}
        aria-invalid={parse(text) === undefined}
        aria-required={required || undefined}
        onChange={(event) => type(event.target.value)}
        onBlur={() => setTyped(undefined)}
        onKeyDown={onKeyDown}
      />
      <IconButton
        icon="calendar"
        label={t('common.calendar')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      />
      {isOpen && box.current && (
        <Calendar
          label={t('common.calendar')}
          value={value}
          min={min}
          max={max}
          anchor={box.current}
          onChoose={choose}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  )
}
