import { Select } from '#ui/components/Select.tsx'
import { languageFor, OFFERED_LANGUAGES } from '#ui/i18n/languages.ts'
import type { RowControl } from './SettingRow.tsx'

interface LanguageSelectProps extends Partial<RowControl> {
  value: string
  onChange(locale: string): void
}

const OPTIONS = OFFERED_LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))

/** The languages that are complete, by their own names. */
export function LanguageSelect({ value, onChange, ...control }: LanguageSelectProps) {
  return (
    <Select
      {...control}
      // An account may name a language that is not offered. It keeps it until another is chosen.
      value={languageFor([value]).code}
      options={OPTIONS}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
