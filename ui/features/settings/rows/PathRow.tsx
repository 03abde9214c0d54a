import { FolderInput } from '#ui/components/fields/FolderInput.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { SettingRow } from './SettingRow.tsx'

interface PathRowProps {
  title: string
  hint?: string
  value: string
  onChange(path: string): void
  /** Lets the user choose a folder. Without it the path is typed: the picker shows only what the server serves. */
  choose?(path: string): Promise<string | undefined>
}

/** A setting that is a path: left to right, without spell checking. */
export function PathRow({ value, onChange, choose, ...texts }: PathRowProps) {
  return (
    <SettingRow {...texts}>
      {(control) =>
        choose ? (
          <FolderInput {...control} value={value} choose={choose} onChange={onChange} />
        ) : (
          <Input
            {...control}
            dir="ltr"
            autoCapitalize="none"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </SettingRow>
  )
}
