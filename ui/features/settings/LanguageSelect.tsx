import { Select } from '#ui/components/Select.tsx'
import { LANGUAGES, languageFor } from '#ui/i18n/languages.ts'
import type { RowControl } from './SettingRow.tsx'

interface LanguageSelectProps extends Partial<RowControl> {
  value: string
  onChange(locale: string): void
}

const OPTIONS = LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))

/** Every language of the interface, by its own name. */
export function LanguageSelect({ value, onChange, ...control }: LanguageSelectProps) {
  return (
    <Select
      {...control}
      // An account from elsewhere may name a language that is not in the list.
      value={languageFor([value]).code}
      options={OPTIONS}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
