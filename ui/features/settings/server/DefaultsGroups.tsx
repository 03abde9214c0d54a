import { Select } from '#ui/components/fields/Select.tsx'
import { PermissionsEditor } from '#ui/components/rights/PermissionsEditor.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { chooseServedFolder } from '#ui/state/administration/choose-folder.ts'
import { settings } from '#ui/state/session/settings.ts'
import type { UserDefaults } from '#wire/api/settings.ts'
import { VIEW_MODES, type ViewMode } from '#wire/api/user.ts'
import { PreferenceRows } from '../inputs/PreferenceRows.tsx'
import { CommandsGroup } from '../rights/CommandsGroup.tsx'
import { PathRow } from '../rows/PathRow.tsx'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { SettingRow } from '../rows/SettingRow.tsx'

interface DefaultsGroupsProps {
  value: UserDefaults
  onChange(defaults: UserDefaults): void
}

/** The defaults of new users. */
export function DefaultsGroups({ value, onChange }: DefaultsGroupsProps) {
  const { t } = useTranslation()
  const change = (changes: Partial<UserDefaults>) => onChange({ ...value, ...changes })
  return (
    <>
      <SettingGroup title={t('settings.preferences.title')}>
        <PathRow
          title={t('settings.user.scope')}
          hint={t('settings.user.scopeHint')}
          value={value.scope}
          choose={chooseServedFolder}
          onChange={(path) => change({ scope: path })}
        />
        <SettingRow title={t('settings.preferences.view')}>
          {(control) => (
            <Select
              {...control}
              value={value.viewMode}
              options={VIEW_MODES.map((mode) => ({
                value: mode,
                label: t(`settings.preferences.views.${VIEW_KEYS[mode]}`),
              }))}
              // The options of the select are the views.
              onChange={(event) => change({ viewMode: event.target.value as ViewMode })}
            />
          )}
        </SettingRow>
        <PreferenceRows value={value} onChange={change} />
      </SettingGroup>
      <SettingGroup title={t('settings.permissions.title')}>
        <PermissionsEditor
          hasCommands={settings.EnableExec}
          value={value.perm}
          onChange={(perm) => change({ perm })}
        />
      </SettingGroup>
      {settings.EnableExec && (
        <CommandsGroup commands={value.commands} onChange={(commands) => change({ commands })} />
      )}
    </>
  )
}

const VIEW_KEYS = { list: 'list', mosaic: 'mosaic', 'mosaic gallery': 'gallery' } as const
