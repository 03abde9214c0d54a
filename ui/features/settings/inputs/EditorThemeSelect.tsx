import { Select } from '#ui/components/fields/Select.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { EDITOR_THEMES, editorThemeOf, storedThemeOf } from '#ui/lib/text/editor-themes.ts'
import type { RowControl } from '../rows/SettingRow.tsx'

interface EditorThemeSelectProps extends Partial<RowControl> {
  /** The theme in the form that the account stores; `editorThemeOf` parses it. */
  value: string
  onChange(stored: string): void
}

/** The editor's colours: those of the page, or one of File Browser's themes. */
export function EditorThemeSelect({ value, onChange, ...control }: EditorThemeSelectProps) {
  const { t } = useTranslation()
  const groups = {
    light: t('settings.preferences.editorTheme.light'),
    dark: t('settings.preferences.editorTheme.dark'),
  }
  return (
    <Select
      {...control}
      // For an unknown name the page's colours are shown, but the account keeps the name.
      value={editorThemeOf(value)?.name ?? ''}
      options={[
        { value: '', label: t('settings.preferences.editorTheme.page') },
        ...EDITOR_THEMES.map(({ name, label, dark }) => ({
          value: name,
          label,
          group: groups[dark ? 'dark' : 'light'],
        })),
      ]}
      onChange={(event) => onChange(storedThemeOf(event.target.value))}
    />
  )
}
