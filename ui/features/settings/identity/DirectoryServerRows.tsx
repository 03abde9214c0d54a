import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { PasswordInput } from '#ui/components/fields/PasswordInput.tsx'
import { TextArea } from '#ui/components/fields/TextArea.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { DirectoryChange, DirectoryOptions, LoginDirectory } from '#wire/api/directory.ts'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { SettingRow } from '../rows/SettingRow.tsx'
import { SwitchRow } from '../rows/SwitchRow.tsx'
import { NameInput } from './NameInput.tsx'

interface DirectoryServerRowsProps {
  title: string
  value: DirectoryChange
  stored: LoginDirectory | undefined
  onChange(changes: Partial<DirectoryChange>): void
  onOptions(changes: Partial<DirectoryOptions>): void
}

/** The server of a directory, and who searches there. */
export function DirectoryServerRows({
  title,
  value,
  stored,
  onChange,
  onOptions,
}: DirectoryServerRowsProps) {
  const { t } = useTranslation()
  const { address, isPlain, ca, bindDN } = value.options
  return (
    <SettingGroup title={title}>
      <SettingRow title={t('prompts.name.label')}>
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
        <SettingRow
          title={t('settings.identity.id.title')}
          hint={t('settings.identity.directory.idHint')}
        >
          {(control) => (
            <NameInput
              control={control}
              required
              pattern="[a-z0-9][a-z0-9\-]{0,31}"
              value={value.id}
              onChange={(id) => onChange({ id })}
            />
          )}
        </SettingRow>
      )}
      <SettingRow
        title={t('settings.identity.directory.address.title')}
        hint={t('settings.identity.directory.address.hint')}
      >
        {(control) => (
          <NameInput
            control={control}
            required
            placeholder="ldaps://ldap.example.org"
            value={address}
            onChange={(text) => onOptions({ address: text })}
          />
        )}
      </SettingRow>
      {/^ldap:/i.test(address) && (
        <SwitchRow
          title={t('settings.identity.directory.plain.title')}
          checked={isPlain}
          onChange={(checked) => onOptions({ isPlain: checked })}
        />
      )}
      {isPlain && <Notice tone="danger">{t('settings.identity.directory.plain.hint')}</Notice>}
      {!isPlain && (
        <SettingRow
          title={t('settings.identity.directory.ca.title')}
          hint={t('settings.identity.directory.ca.hint')}
        >
          {(control) => (
            <TextArea
              {...control}
              dir="ltr"
              rows={3}
              spellCheck={false}
              placeholder="-----BEGIN CERTIFICATE-----"
              value={ca}
              onChange={(event) => onOptions({ ca: event.target.value })}
            />
          )}
        </SettingRow>
      )}
      <SettingRow
        title={t('settings.identity.directory.bindDN.title')}
        hint={t('settings.identity.directory.bindDN.hint')}
      >
        {(control) => (
          <NameInput
            control={control}
            placeholder="cn=filemgr,dc=example,dc=org"
            value={bindDN}
            onChange={(text) => onOptions({ bindDN: text })}
          />
        )}
      </SettingRow>
      {bindDN !== '' && (
        <SettingRow
          title={t('settings.identity.directory.bindPassword')}
          hint={stored?.hasPassword && t('settings.identity.secret.hint')}
        >
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="off"
              value={value.bindPassword ?? ''}
              onChange={(event) =>
                // Empty means the stored one.
                onChange({ bindPassword: event.target.value || undefined })
              }
            />
          )}
        </SettingRow>
      )}
    </SettingGroup>
  )
}
