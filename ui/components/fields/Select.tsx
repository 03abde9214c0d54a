import type { ComponentProps } from 'react'
import { Icon } from '../icons/Icon.tsx'
import './Input.css'
import './Select.css'

interface Option {
  value: string
  label: string
  /** The heading of consecutive options. */
  group?: string
}

interface SelectProps extends ComponentProps<'select'> {
  options: Option[]
}

/** A native select. */
export function Select({ options, ...native }: SelectProps) {
  return (
    <span className="Input" data-disabled={native.disabled || undefined}>
      <select {...native} className="Select">
        {[...Map.groupBy(options, ({ group }) => group)].map(([group, members]) =>
          group ? (
            <optgroup key={group} label={group}>
              {members.map(toOption)}
            </optgroup>
          ) : (
            members.map(toOption)
          ),
        )}
      </select>
      <Icon name="chevron-down" />
    </span>
  )
}

function toOption({ value, label }: Option) {
  return (
    <option key={value} value={value}>
      {label}
    </option>
  )
}
