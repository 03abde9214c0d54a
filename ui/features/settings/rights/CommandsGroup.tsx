import { Field } from '#ui/components/fields/Field.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { WordsInput } from '../inputs/WordsInput.tsx'
import { SettingFields, SettingGroup } from '../rows/SettingGroup.tsx'

interface CommandsGroupProps {
  commands: readonly string[]
  onChange(commands: string[]): void
}

/** The programs that the user may run. */
export function CommandsGroup({ commands, onChange }: CommandsGroupProps) {
  const { t } = useTranslation()
  return (
    <SettingGroup title={t('settings.commands.title')}>
      <SettingFields>
        <Field label={t('settings.commands.label')} hint={t('settings.commands.hint')}>
          <WordsInput words={commands} placeholder="git ls tar" onChange={onChange} />
        </Field>
      </SettingFields>
    </SettingGroup>
  )
}
