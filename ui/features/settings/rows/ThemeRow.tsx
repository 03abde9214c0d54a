import { useSnapshot } from 'valtio'
import { Select } from '#ui/components/fields/Select.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { layout } from '#ui/state/view/layout.ts'
import { activeTheme, chooseTheme, THEME_CHOICES, type ThemeChoice } from '#ui/state/view/theme.ts'
import { SettingRow } from './SettingRow.tsx'

/** Light, dark, or as the operating system; chosen by this user, also for their other devices. */
export function ThemeRow() {
  const { t } = useTranslation()
  // Reading the value subscribes this component to it.
  void useSnapshot(layout).theme
  return (
    <SettingRow
      title={t('settings.preferences.theme.title')}
      hint={t('settings.preferences.theme.hint')}
    >
      {(control) => (
        <Select
          {...control}
          value={activeTheme()}
          options={THEME_CHOICES.map((theme) => ({
            value: theme,
            label: t(`settings.branding.theme.${theme}`),
          }))}
          // The options of the select are the choices.
          onChange={(event) => chooseTheme(event.target.value as ThemeChoice)}
        />
      )}
    </SettingRow>
  )
}
