import { useTranslation } from '#ui/i18n/i18n.ts'
import type { ProviderChange } from '#wire/api/identity.ts'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { SwitchRow } from '../rows/SwitchRow.tsx'

interface LoginRowsProps {
  value: ProviderChange
  onChange(changes: Partial<ProviderChange>): void
}

/** When a provider is used: on the login page, and for a log-out. */
export function LoginRows({ value, onChange }: LoginRowsProps) {
  const { t } = useTranslation()
  const { isEnabled, options } = value
  return (
    <SettingGroup title={t('login.page')}>
      <SwitchRow
        title={t('settings.identity.enabled')}
        checked={isEnabled}
        onChange={(checked) => onChange({ isEnabled: checked })}
      />
      <SwitchRow
        title={t('settings.identity.redirects.title')}
        hint={t('settings.identity.redirects.hint')}
        checked={options.redirects}
        onChange={(redirects) => onChange({ options: { ...options, redirects } })}
      />
      <SwitchRow
        title={t('settings.identity.logsOut')}
        checked={options.logsOut}
        onChange={(logsOut) => onChange({ options: { ...options, logsOut } })}
      />
    </SettingGroup>
  )
}
