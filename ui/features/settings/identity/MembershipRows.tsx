import { Select } from '#ui/components/fields/Select.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { NEW_ACCOUNTS, type ProviderOptions } from '#wire/api/identity.ts'
import { SettingRow } from '../rows/SettingRow.tsx'
import { GroupsInput } from './GroupsInput.tsx'

type Membership = Pick<
  ProviderOptions,
  'adminGroups' | 'loginGroups' | 'newAccounts' | 'accountGroups'
>

interface MembershipRowsProps {
  value: Membership
  /** What it means if there are no groups of administrators. */
  adminHint: string
  onChange(changes: Partial<Membership>): void
}

/** Whose members may log in, are administrators, and get an account. */
export function MembershipRows({ value, adminHint, onChange }: MembershipRowsProps) {
  const { t } = useTranslation()
  const separated = t('settings.identity.separated')
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
    <>
      {groups(
        'loginGroups',
        t('settings.identity.loginGroups.title'),
        `${separated} ${t('settings.identity.loginGroups.hint')}`,
      )}
      {groups('adminGroups', t('settings.identity.adminGroups.title'), `${separated} ${adminHint}`)}
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
    </>
  )
}
