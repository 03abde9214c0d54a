import type { ComponentProps } from 'react'
import { Icon } from './Icon.tsx'
import './Input.css'
import './Select.css'

interface SelectProps extends ComponentProps<'select'> {
  options: { value: string; label: string }[]
}

/** A native select. */
export function Select({ options, ...native }: SelectProps) {
  return (
    <span className="Input" data-select data-disabled={native.disabled || undefined}>
      <select {...native} className="Select">
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </span>
  )
}
