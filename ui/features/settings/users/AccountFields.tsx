import { Field } from '#ui/components/fields/Field.tsx'
import { FolderInput } from '#ui/components/fields/FolderInput.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { PasswordInput } from '#ui/components/fields/PasswordInput.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { chooseServedFolder } from '#ui/state/administration/choose-folder.ts'
import type { User } from '#wire/api/user.ts'
import { LanguageSelect } from '../inputs/LanguageSelect.tsx'
import type { FormError } from '../rows/form-error.ts'
import { SettingFields, SettingGroup } from '../rows/SettingGroup.tsx'
import { SwitchRow } from '../rows/SwitchRow.tsx'

interface AccountFieldsProps {
  user: User
  isNew: boolean
  /** Whether a home folder is created; undefined if that is not possible. */
  createsHome: boolean | undefined
  problem: FormError | undefined
  /** Without a password the new user receives an invitation. */
  mayInvite: boolean
  onChange(changes: Partial<User>): void
  onHome(createsHome: boolean): void
}

/** The name, password and folder of an account. */
export function AccountFields(props: AccountFieldsProps) {
  const { user, isNew, createsHome, problem, mayInvite, onChange, onHome } = props
  const { t } = useTranslation()
  const problemAt = (field: FormError['field']) =>
    problem && problem.field === field ? problem.text : undefined
  return (
    <SettingGroup title={t('settings.user.account')}>
      <SettingFields>
        <Field
          label={t('login.username')}
          state={problemAt('username') ? 'invalid' : undefined}
          hint={problemAt('username')}
        >
          <Input
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={isNew}
            value={user.username}
            onChange={(event) => onChange({ username: event.target.value })}
          />
        </Field>
        <Field
          label={t('login.password')}
          state={problemAt('password') ? 'invalid' : undefined}
          hint={problemAt('password') ?? (mayInvite ? t('settings.user.inviteHint') : undefined)}
        >
          <PasswordInput
            required={isNew && !mayInvite}
            autoComplete="new-password"
            placeholder={isNew ? undefined : t('settings.user.keepPassword')}
            value={user.password}
            onChange={(event) => onChange({ password: event.target.value })}
          />
        </Field>
        <Field
          label={t('settings.user.scope')}
          hint={createsHome ? t('settings.user.scopeMade') : undefined}
        >
          <FolderInput
            disabled={createsHome ?? false}
            value={user.scope}
            choose={chooseServedFolder}
            onChange={(scope) => onChange({ scope })}
          />
        </Field>
        <Field label={t('settings.preferences.language')}>
          <LanguageSelect value={user.locale} onChange={(locale) => onChange({ locale })} />
        </Field>
      </SettingFields>
      {createsHome !== undefined && (
        <SwitchRow
          title={t('settings.user.home.title')}
          hint={t('settings.user.home.hint')}
          checked={createsHome}
          onChange={onHome}
        />
      )}
      <SwitchRow
        title={t('settings.user.lockPassword.title')}
        hint={t(`settings.user.lockPassword.${user.perm.admin ? 'admin' : 'hint'}`)}
        checked={user.lockPassword}
        disabled={user.perm.admin}
        onChange={(lockPassword) => onChange({ lockPassword })}
      />
    </SettingGroup>
  )
}
