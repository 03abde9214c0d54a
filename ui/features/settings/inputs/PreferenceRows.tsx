import { Select } from '#ui/components/fields/Select.tsx'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { formatDate } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { TOUCH } from '#ui/lib/page/media.ts'
import type { Preferences } from '#wire/api/user.ts'
import { SettingRow } from '../rows/SettingRow.tsx'
import { SwitchRow } from '../rows/SwitchRow.tsx'
import { EditorThemeSelect } from './EditorThemeSelect.tsx'
import { LanguageSelect } from './LanguageSelect.tsx'

const SWITCHES = ['hideDotfiles', 'singleClick', 'redirectAfterCopyMove'] as const

type EditablePreferences = Pick<
  Preferences,
  (typeof SWITCHES)[number] | 'dateFormat' | 'locale' | 'aceEditorTheme'
>

interface PreferenceRowsProps {
  value: EditablePreferences
  onChange(changes: Partial<EditablePreferences>): void
}

/** Preferences that users choose for themselves, and administrators for new users. */
export function PreferenceRows({ value, onChange }: PreferenceRowsProps) {
  const { t } = useTranslation()
  const isTouch = useMedia(TOUCH)
  const now = new Date().toISOString()
  return (
    <>
      {SWITCHES.map((name) => (
        <SwitchRow
          key={name}
          title={t(`settings.preferences.${name}.title`)}
          hint={t(`settings.preferences.${name}.hint`)}
          checked={value[name]}
          onChange={(checked) => onChange({ [name]: checked })}
        />
      ))}
      <SettingRow
        title={t('settings.preferences.dates.title')}
        hint={t(`settings.preferences.dates.${isTouch ? 'touchHint' : 'hint'}`)}
      >
        {(control) => (
          <Select
            {...control}
            value={value.dateFormat ? 'exact' : 'relative'}
            options={[
              {
                value: 'relative',
                label: t('settings.preferences.dates.relative', { example: formatDate(now) }),
              },
              {
                value: 'exact',
                label: t('settings.preferences.dates.exact', { example: formatDate(now, true) }),
              },
            ]}
            onChange={(event) => onChange({ dateFormat: event.target.value === 'exact' })}
          />
        )}
      </SettingRow>
      <SettingRow
        title={t('settings.preferences.editorTheme.title')}
        hint={t('settings.preferences.editorTheme.hint')}
      >
        {(control) => (
          <EditorThemeSelect
            {...control}
            value={value.aceEditorTheme}
            onChange={(aceEditorTheme) => onChange({ aceEditorTheme })}
          />
        )}
      </SettingRow>
      <SettingRow title={t('settings.preferences.language')}>
        {(control) => (
          <LanguageSelect
            {...control}
            value={value.locale}
            onChange={(locale) => onChange({ locale })}
          />
        )}
      </SettingRow>
    </>
  )
}
