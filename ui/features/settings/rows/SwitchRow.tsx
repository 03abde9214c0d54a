import { Switch } from '#ui/components/fields/Switch.tsx'
import { SettingRow } from './SettingRow.tsx'

interface SwitchRowProps {
  title: string
  hint?: string
  /** Why the value is invalid. */
  problem?: string | undefined
  checked: boolean
  disabled?: boolean
  onChange(checked: boolean): void
}

/** A setting that is on or off. */
export function SwitchRow({ checked, disabled, onChange, ...texts }: SwitchRowProps) {
  return (
    <SettingRow {...texts}>
      {(control) => (
        <Switch
          {...control}
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
        />
      )}
    </SettingRow>
  )
}
