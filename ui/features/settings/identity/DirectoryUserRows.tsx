import { Select } from '#ui/components/fields/Select.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type DirectoryOptions, ENTRY_IDS } from '#wire/api/directory.ts'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { SettingRow } from '../rows/SettingRow.tsx'
import { NameInput } from './NameInput.tsx'

interface DirectoryUserRowsProps {
  value: DirectoryOptions
  onChange(changes: Partial<DirectoryOptions>): void
}

/** Where the users and the groups of a directory are. */
export function DirectoryUserRows({ value, onChange }: DirectoryUserRowsProps) {
  const { t } = useTranslation()
  const text = (
    name: 'base' | 'filter' | 'nameAttribute' | 'groupBase' | 'groupFilter',
    title: string,
    { hint, placeholder }: { hint?: string; placeholder?: string } = {},
  ) => (
    <SettingRow title={title} hint={hint}>
      {(control) => (
        <NameInput
          control={control}
          required={!name.startsWith('group')}
          {...(placeholder && { placeholder })}
          value={value[name]}
          onChange={(changed) => onChange({ [name]: changed })}
        />
      )}
    </SettingRow>
  )
  return (
    <SettingGroup title={t('settings.users.title')}>
      {text('base', t('settings.identity.directory.base'), {
        placeholder: 'ou=people,dc=example,dc=org',
      })}
      {text('filter', t('settings.identity.directory.filter.title'), {
        hint: t('settings.identity.directory.filter.hint'),
      })}
      <SettingRow title={t('settings.identity.directory.idAttribute')}>
        {(control) => (
          <Select
            {...control}
            value={value.idAttribute}
            options={ENTRY_IDS.map((name) => ({ value: name, label: name }))}
            onChange={(event) =>
              onChange({
                idAttribute: ENTRY_IDS.find((name) => name === event.target.value) ?? 'entryUUID',
              })
            }
          />
        )}
      </SettingRow>
      {text('nameAttribute', t('settings.identity.directory.nameAttribute'))}
      {text('groupBase', t('settings.identity.directory.groupBase.title'), {
        hint: t('settings.identity.directory.groupBase.hint'),
        placeholder: 'ou=groups,dc=example,dc=org',
      })}
      {value.groupBase !== '' &&
        text('groupFilter', t('settings.identity.directory.groupFilter.title'), {
          hint: t('settings.identity.directory.groupFilter.hint'),
          placeholder: '(member={dn})',
        })}
    </SettingGroup>
  )
}
