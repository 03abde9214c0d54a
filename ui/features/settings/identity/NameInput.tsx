import { Input } from '#ui/components/fields/Input.tsx'
import type { RowControl } from '../rows/SettingRow.tsx'

interface NameInputProps {
  control: RowControl
  value: string
  required?: boolean
  placeholder?: string
  pattern?: string
  onChange(value: string): void
}

/** A name of a protocol, such as an address or an attribute: always from left to right, and not corrected. */
export function NameInput({ control, onChange, ...props }: NameInputProps) {
  return (
    <Input
      {...control}
      {...props}
      dir="ltr"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
