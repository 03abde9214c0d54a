import { Select } from '#ui/components/fields/Select.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { languageFor } from '#ui/i18n/languages.ts'
import { LANGUAGES } from '#wire/languages.ts'
import type { RowControl } from '../rows/SettingRow.tsx'

interface LanguageSelectProps extends Partial<RowControl> {
  value: string
  onChange(locale: string): void
}

const OPTIONS = LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))

/** The language of the browser, and all offered languages by their own names. */
export function LanguageSelect({ value, onChange, ...control }: LanguageSelectProps) {
  const { t } = useTranslation()
  return (
    <Select
      {...control}
      // An account may have a language that is not offered. It stays until another one is chosen.
      value={value && languageFor([value]).code}
      options={[{ value: '', label: t('settings.preferences.browserLanguage') }, ...OPTIONS]}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
