import { useState } from 'react'
import { Input } from '#ui/components/fields/Input.tsx'
import type { RowControl } from '../rows/SettingRow.tsx'

interface GroupsInputProps {
  control: RowControl
  groups: readonly string[]
  onChange(groups: string[]): void
}

/** A list of names of groups, separated by commas: names may contain spaces. */
export function GroupsInput({ control, groups, onChange }: GroupsInputProps) {
  const [text, setText] = useState(groups.join(', '))
  return (
    <Input
      {...control}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        const names = event.target.value.split(',').map((name) => name.trim())
        onChange(names.filter((name) => name !== ''))
      }}
    />
  )
}
