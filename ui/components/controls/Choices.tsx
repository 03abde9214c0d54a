import { useId } from 'react'
import './Choices.css'

interface ChoicesProps<Value extends string> {
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange(value: Value): void
}

/** Radio buttons side by side. The caller renders them in a fieldset with a legend. */
export function Choices<Value extends string>({ options, value, onChange }: ChoicesProps<Value>) {
  const name = useId()
  return (
    <div className="Choices">
      {options.map((option) => (
        <label key={option.value} className="Choices__choice">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
