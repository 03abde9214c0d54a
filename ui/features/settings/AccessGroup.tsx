import { Input } from '#ui/components/Input.tsx'
import { Switch } from '#ui/components/Switch.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { LIMITS } from '#wire/limits.ts'
import type { GlobalSettings } from '#wire/settings.ts'
import { NumberInput } from './NumberInput.tsx'
import { SettingGroup } from './SettingGroup.tsx'
import { SettingRow } from './SettingRow.tsx'

const SWITCHES = ['signup', 'createUserDir', 'hideLoginButton'] as const

interface AccessGroupProps {
  value: GlobalSettings
  /** Why people may not sign up like this (docs/decisions.md 20). */
  signupProblem: string | undefined
  onChange(changes: Partial<GlobalSettings>): void
}

/** How people come in, and what they come to. */
export function AccessGroup({ value, signupProblem, onChange }: AccessGroupProps) {
  const { t } = useTranslation()
  return (
    <SettingGroup title={t('settings.access.title')}>
      {SWITCHES.map((name) => (
        <SettingRow
          key={name}
          title={t(`settings.access.${name}.title`)}
          hint={t(`settings.access.${name}.hint`)}
          problem={name === 'signup' ? signupProblem : undefined}
        >
          {(control) => (
            <Switch
              {...control}
              checked={value[name]}
              onChange={(event) => onChange({ [name]: event.target.checked })}
            />
          )}
        </SettingRow>
      ))}
      <SettingRow
        title={t('settings.access.userHomeBasePath.title')}
        hint={t('settings.access.userHomeBasePath.hint')}
      >
        {(control) => (
          <Input
            {...control}
            dir="ltr"
            autoCapitalize="none"
            spellCheck={false}
            value={value.userHomeBasePath}
            onChange={(event) => onChange({ userHomeBasePath: event.target.value })}
          />
        )}
      </SettingRow>
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
    </SettingGroup>
  )
}
