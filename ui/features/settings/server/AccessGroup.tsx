import { Input } from '#ui/components/fields/Input.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { chooseServedFolder } from '#ui/state/administration/choose-folder.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import { LIMITS } from '#wire/limits.ts'
import { NumberInput } from '../inputs/NumberInput.tsx'
import type { FormError } from '../rows/form-error.ts'
import { PathRow } from '../rows/PathRow.tsx'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { SettingRow } from '../rows/SettingRow.tsx'
import { SwitchRow } from '../rows/SwitchRow.tsx'
import { PublicAddressRow } from './PublicAddressRow.tsx'
import { RequiredFactorRows } from './RequiredFactorRows.tsx'

const SWITCHES = ['signup', 'createUserDir', 'hideLoginButton'] as const

interface AccessGroupProps {
  value: GlobalSettings
  /** Why the settings were refused: open sign-up (docs/decisions.md 20) or an address. */
  problem: FormError | undefined
  onChange(changes: Partial<GlobalSettings>): void
}

/** Settings of sign-in and of new accounts. */
export function AccessGroup({ value, problem, onChange }: AccessGroupProps) {
  const { t } = useTranslation()
  const problemOf = (field: FormError['field']) =>
    problem?.field === field ? problem?.text : undefined
  return (
    <SettingGroup title={t('settings.access.title')}>
      {SWITCHES.map((name) => (
        <SwitchRow
          key={name}
          title={t(`settings.access.${name}.title`)}
          hint={t(`settings.access.${name}.hint`)}
          problem={name === 'signup' ? problemOf('signup') : undefined}
          checked={value[name]}
          onChange={(checked) => onChange({ [name]: checked })}
        />
      ))}
      <PathRow
        title={t('settings.access.userHomeBasePath.title')}
        hint={t('settings.access.userHomeBasePath.hint')}
        value={value.userHomeBasePath}
        choose={chooseServedFolder}
        onChange={(path) => onChange({ userHomeBasePath: path })}
      />
      <SettingRow
        title={t('settings.access.minimumPasswordLength.title')}
        hint={t('settings.access.minimumPasswordLength.hint')}
      >
        {(control) => (
          <NumberInput
            {...control}
            min={1}
            max={LIMITS.passwordLengthMax}
            value={value.minimumPasswordLength}
            onChange={(minimumPasswordLength) => onChange({ minimumPasswordLength })}
          />
        )}
      </SettingRow>
      <RequiredFactorRows value={value} onChange={onChange} />
      <SettingRow
        title={t('settings.access.passwordHelp.title')}
        hint={t('settings.access.passwordHelp.hint')}
      >
        {(control) => (
          <Input
            {...control}
            dir="auto"
            maxLength={LIMITS.passwordHelpMax}
            value={value.passwordHelp}
            onChange={(event) => onChange({ passwordHelp: event.target.value })}
          />
        )}
      </SettingRow>
      <PublicAddressRow
        value={value.publicAddress}
        problem={problemOf('publicAddress')}
        onChange={(publicAddress) => onChange({ publicAddress })}
      />
    </SettingGroup>
  )
}
