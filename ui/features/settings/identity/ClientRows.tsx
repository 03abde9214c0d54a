import { Input } from '#ui/components/fields/Input.tsx'
import { PasswordInput } from '#ui/components/fields/PasswordInput.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Provider, ProviderChange } from '#wire/api/identity.ts'
import { API } from '#wire/api/routes.ts'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { SettingRow } from '../rows/SettingRow.tsx'
import { AddressRow } from './AddressRow.tsx'

interface ClientRowsProps {
  value: ProviderChange
  stored: Provider | undefined
  publicAddress: string
  onChange(changes: Partial<ProviderChange>): void
}

/** The client at the provider: its id and secret, and the addresses to enter there. */
export function ClientRows({ value, stored, publicAddress, onChange }: ClientRowsProps) {
  const { t } = useTranslation()
  return (
    <SettingGroup title={t('settings.identity.client')}>
      <SettingRow title={t('settings.identity.label')}>
        {(control) => (
          <Input
            {...control}
            required
            value={value.label}
            onChange={(event) => onChange({ label: event.target.value })}
          />
        )}
      </SettingRow>
      {!stored && (
        <SettingRow title={t('settings.identity.id.title')} hint={t('settings.identity.id.hint')}>
          {(control) => (
            <Input
              {...control}
              dir="ltr"
              required
              pattern="[a-z0-9][a-z0-9\-]{0,31}"
              autoCapitalize="none"
              spellCheck={false}
              value={value.id}
              onChange={(event) => onChange({ id: event.target.value })}
            />
          )}
        </SettingRow>
      )}
      <AddressRow
        title={t('settings.identity.redirect.title')}
        hint={t('settings.identity.redirect.hint')}
        address={`${publicAddress}${API.identityCallback}/${value.id}`}
      />
      <AddressRow title={t('settings.identity.logout')} address={`${publicAddress}/login`} />
      <AddressRow
        title={t('settings.identity.backchannel')}
        address={`${publicAddress}${API.identityBackchannel}/${value.id}`}
      />
      <SettingRow title={t('settings.identity.clientId')}>
        {(control) => (
          <Input
            {...control}
            dir="ltr"
            required
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            value={value.clientID}
            onChange={(event) => onChange({ clientID: event.target.value })}
          />
        )}
      </SettingRow>
      <SettingRow
        title={t('settings.identity.secret.title')}
        hint={stored?.hasSecret && t('settings.identity.secret.hint')}
      >
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="off"
            value={value.clientSecret ?? ''}
            onChange={(event) =>
              // Empty means the stored one.
              onChange({ clientSecret: event.target.value || undefined })
            }
          />
        )}
      </SettingRow>
    </SettingGroup>
  )
}
