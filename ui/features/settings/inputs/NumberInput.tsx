import { Input } from '#ui/components/fields/Input.tsx'
import type { RowControl } from '../rows/SettingRow.tsx'

interface NumberInputProps extends RowControl {
  min: number
  max: number
  value: number
  onChange(value: number): void
}

/** A whole number; the browser validates it. */
export function NumberInput({ value, onChange, ...native }: NumberInputProps) {
  return (
    <Input
      {...native}
      type="number"
      inputMode="numeric"
      step={1}
      required
      value={Number.isNaN(value) ? '' : value}
      onChange={(event) => onChange(event.target.valueAsNumber)}
    />
  )
}
