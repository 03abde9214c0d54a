import { Input } from '#ui/components/fields/Input.tsx'
import { Select } from '#ui/components/fields/Select.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { PRODUCT } from '#ui/state/session/settings.ts'
import { type Branding, THEMES, type Theme } from '#wire/api/settings.ts'
import { ColorInput } from '../inputs/ColorInput.tsx'
import { PathRow } from '../rows/PathRow.tsx'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { SettingRow } from '../rows/SettingRow.tsx'
import { SwitchRow } from '../rows/SwitchRow.tsx'

const SWITCHES = ['disableExternal', 'disableUsedPercentage'] as const

interface BrandingGroupProps {
  value: Branding
  onChange(branding: Branding): void
}

/** The name and appearance of the server's interface. */
export function BrandingGroup({ value, onChange }: BrandingGroupProps) {
  const { t } = useTranslation()
  const change = (changes: Partial<Branding>) => onChange({ ...value, ...changes })
  return (
    <SettingGroup title={t('settings.branding.title')}>
      <SettingRow title={t('settings.branding.name.title')} hint={t('settings.branding.name.hint')}>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            placeholder={PRODUCT}
            value={value.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </SettingRow>
      <SettingRow title={t('settings.branding.theme.title')}>
        {(control) => (
          <Select
            {...control}
            value={value.theme}
            options={THEMES.map((theme) => ({
              value: theme,
              label: t(`settings.branding.theme.${theme || 'system'}`),
            }))}
            // The options of the select are the themes.
            onChange={(event) => change({ theme: event.target.value as Theme })}
          />
        )}
      </SettingRow>
      <SettingRow
        title={t('settings.branding.color.title')}
        hint={t('settings.branding.color.hint')}
      >
        {(control) => (
          <ColorInput {...control} value={value.color} onChange={(color) => change({ color })} />
        )}
      </SettingRow>
      <PathRow
        title={t('settings.branding.files.title')}
        hint={t('settings.branding.files.hint')}
        value={value.files}
        onChange={(path) => change({ files: path })}
      />
      {SWITCHES.map((name) => (
        <SwitchRow
          key={name}
          title={t(`settings.branding.${name}.title`)}
          hint={t(`settings.branding.${name}.hint`)}
          // The setting hides, and the switch shows: what is on can be seen.
          checked={!value[name]}
          onChange={(checked) => change({ [name]: !checked })}
        />
      ))}
    </SettingGroup>
  )
}
