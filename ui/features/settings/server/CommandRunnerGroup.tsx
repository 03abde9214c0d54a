import { useState } from 'react'
import { Field } from '#ui/components/fields/Field.tsx'
import { TextArea } from '#ui/components/fields/TextArea.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { HOOK_NAMES } from '#wire/api/events.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import { parseLines } from '../inputs/parse-lists.ts'
import { WordsInput } from '../inputs/WordsInput.tsx'
import { SettingFields, SettingGroup } from '../rows/SettingGroup.tsx'

interface CommandRunnerGroupProps {
  value: Pick<GlobalSettings, 'shell' | 'commands'>
  onChange(changes: Partial<GlobalSettings>): void
}

/** The shell, and the event commands. */
export function CommandRunnerGroup({ value, onChange }: CommandRunnerGroupProps) {
  const { t } = useTranslation()
  return (
    <>
      <SettingGroup title={t('settings.runner.shell.title')}>
        <SettingFields>
          <Field label={t('settings.runner.shell.label')} hint={t('settings.runner.shell.hint')}>
            <WordsInput
              words={value.shell}
              placeholder="/bin/sh -c"
              onChange={(shell) => onChange({ shell })}
            />
          </Field>
        </SettingFields>
      </SettingGroup>
      <SettingGroup
        title={t('settings.runner.events.title')}
        hint={t('settings.runner.events.hint')}
      >
        <SettingFields>
          {HOOK_NAMES.map((hook) => (
            <LinesField
              key={hook}
              label={t(`settings.runner.events.${hook}`)}
              lines={value.commands[hook] ?? []}
              onChange={(lines) => onChange({ commands: { ...value.commands, [hook]: lines } })}
            />
          ))}
        </SettingFields>
      </SettingGroup>
    </>
  )
}

interface LinesFieldProps {
  label: string
  lines: readonly string[]
  onChange(lines: string[]): void
}

/** A text area with one command per line. */
function LinesField({ label, lines, onChange }: LinesFieldProps) {
  const [text, setText] = useState(lines.join('\n'))
  return (
    <Field label={label}>
      <TextArea
        dir="ltr"
        rows={2}
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onChange(parseLines(event.target.value))
        }}
      />
    </Field>
  )
}
