import { Input } from '#ui/components/fields/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { ProviderOptions } from '#wire/api/identity.ts'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { SettingRow } from '../rows/SettingRow.tsx'
import { MembershipRows } from './MembershipRows.tsx'

interface AccountRowsProps {
  value: ProviderOptions
  onChange(changes: Partial<ProviderOptions>): void
}

/** Who may log in, who gets an account, and who is an administrator. */
export function AccountRows({ value, onChange }: AccountRowsProps) {
  const { t } = useTranslation()
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
  return (
    <SettingGroup title={t('settings.identity.accounts')}>
      {text('scopes', t('settings.identity.scopes'))}
      {text('nameClaim', t('settings.identity.nameClaim'))}
      {text(
        'groupsClaim',
        t('settings.identity.groupsClaim.title'),
        t('settings.identity.groupsClaim.hint'),
      )}
      <MembershipRows
        value={value}
        adminHint={t('settings.identity.adminGroups.hint')}
        onChange={onChange}
      />
    </SettingGroup>
  )
}
