import { Input } from '#ui/components/fields/Input.tsx'
import { Select } from '#ui/components/fields/Select.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { NEW_ACCOUNTS, type ProviderOptions } from '#wire/api/identity.ts'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { SettingRow } from '../rows/SettingRow.tsx'
import { GroupsInput } from './GroupsInput.tsx'

interface AccountRowsProps {
  value: ProviderOptions
  onChange(changes: Partial<ProviderOptions>): void
}

/** Who may log in, who gets an account, and who is an administrator. */
export function AccountRows({ value, onChange }: AccountRowsProps) {
  const { t } = useTranslation()
  const separated = t('settings.identity.separated')
  const text = (name: 'scopes' | 'nameClaim' | 'groupsClaim', title: string, hint?: string) => (
    <SettingRow title={title} hint={hint}>
      {(control) => (
        <Input
          {...control}
          dir="ltr"
          required={name !== 'groupsClaim'}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={value[name]}
          onChange={(event) => onChange({ [name]: event.target.value })}
        />
      )}
    </SettingRow>
  )
  const groups = (
    name: 'adminGroups' | 'loginGroups' | 'accountGroups',
    title: string,
    hint: string,
  ) => (
    <SettingRow title={title} hint={hint}>
      {(control) => (
        <GroupsInput
          control={control}
          groups={value[name]}
          onChange={(list) => onChange({ [name]: list })}
        />
      )}
    </SettingRow>
  )
  return (
    <SettingGroup title={t('settings.identity.accounts')}>
      {text('scopes', t('settings.identity.scopes'))}
      {text('nameClaim', t('settings.identity.nameClaim'))}
      {text(
        'groupsClaim',
        t('settings.identity.groupsClaim.title'),
        t('settings.identity.groupsClaim.hint'),
      )}
      {groups(
        'loginGroups',
        t('settings.identity.loginGroups.title'),
        `${separated} ${t('settings.identity.loginGroups.hint')}`,
      )}
      {groups(
        'adminGroups',
        t('settings.identity.adminGroups.title'),
        `${separated} ${t('settings.identity.adminGroups.hint')}`,
      )}
      <SettingRow
        title={t('settings.identity.newAccounts.title')}
        hint={t('settings.identity.newAccounts.hint')}
      >
        {(control) => (
          <Select
            {...control}
            value={value.newAccounts}
            options={NEW_ACCOUNTS.map((choice) => ({
              value: choice,
              label: t(`settings.identity.newAccounts.${choice}`),
            }))}
            onChange={(event) =>
              onChange({
                newAccounts: NEW_ACCOUNTS.find((choice) => choice === event.target.value) ?? 'off',
              })
            }
          />
        )}
      </SettingRow>
      {value.newAccounts === 'groups' &&
        groups('accountGroups', t('settings.identity.accountGroups'), separated)}
    </SettingGroup>
  )
}
