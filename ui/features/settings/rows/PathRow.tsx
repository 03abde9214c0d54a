import { Input } from '#ui/components/fields/Input.tsx'
import { SettingRow } from './SettingRow.tsx'

interface PathRowProps {
  title: string
  hint?: string
  value: string
  onChange(path: string): void
}

/** A setting that is a path: left to right, without spell checking. */
export function PathRow({ value, onChange, ...texts }: PathRowProps) {
  return (
    <SettingRow {...texts}>
      {(control) => (
        <Input
          {...control}
          dir="ltr"
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </SettingRow>
  )
}
