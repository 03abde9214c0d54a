import { formatHour, formatMinute, timeFieldName } from '#ui/i18n/date-input.ts'
import { DateInput } from './DateInput.tsx'
import { Select } from './Select.tsx'
import './MomentInput.css'

interface MomentInputProps {
  /** In the local time: `2026-11-18T14:05`. */
  value: string
  onChange(moment: string): void
}

/** A day and a time of day, in the language of the interface. The day cannot be empty. */
export function MomentInput({ value, onChange }: MomentInputProps) {
  const [day = '', time = ''] = value.split('T')
  const [hour = '00', minute = '00'] = time.split(':')
  return (
    <span className="MomentInput">
      <DateInput required value={day} onChange={(chosen) => onChange(`${chosen}T${time}`)} />
      <Select
        aria-label={timeFieldName('hour')}
        value={hour}
        options={numbers(24, formatHour)}
        onChange={(event) => onChange(`${day}T${event.target.value}:${minute}`)}
      />
      <Select
        aria-label={timeFieldName('minute')}
        value={minute}
        options={numbers(60, formatMinute)}
        onChange={(event) => onChange(`${day}T${hour}:${event.target.value}`)}
      />
    </span>
  )
}

function numbers(count: number, format: (number: number) => string) {
  return Array.from({ length: count }, (_, number) => ({
    value: String(number).padStart(2, '0'),
    label: format(number),
  }))
}
