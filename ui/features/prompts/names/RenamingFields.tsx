import type { ComponentProps } from 'react'
import { Choices } from '#ui/components/controls/Choices.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Renaming } from '#ui/lib/entries/new-names.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { autofocus } from '../parts/autofocus.ts'

export const RENAMING_KINDS = ['replace', 'add', 'number'] as const satisfies Renaming['kind'][]

const POSITIONS = ['before', 'after'] as const

/** The typed values of every kind of renaming, so that they are kept when the kind changes. */
export interface RenamingValues {
  kind: Renaming['kind']
  find: string
  replacement: string
  text: string
  position: (typeof POSITIONS)[number]
  base: string
  /** As typed: valid is a whole number. */
  first: string
}

interface RenamingFieldsProps {
  fields: RenamingValues
  onChange(fields: RenamingValues): void
}

/** The fields of the chosen kind of renaming. */
export function RenamingFields({ fields, onChange }: RenamingFieldsProps) {
  const { t } = useTranslation()
  const { kind } = fields
  const change = (changes: Partial<RenamingValues>) => onChange({ ...fields, ...changes })
  const isFirstInvalid = firstNumber(fields.first) === undefined
  return (
    <div className="RenameManyCard__fields">
      {kind === 'replace' && (
        <>
          <TextField
            label={t('editor.find')}
            text={fields.find}
            ref={autofocus}
            onText={(find) => change({ find })}
          />
          <TextField
            label={t('editor.replaceWith')}
            text={fields.replacement}
            onText={(replacement) => change({ replacement })}
          />
        </>
      )}
      {kind === 'add' && (
        <>
          <TextField
            label={t('prompts.renameMany.text')}
            text={fields.text}
            onText={(text) => change({ text })}
          />
          <fieldset>
            <legend className="visually-hidden">{t('prompts.renameMany.add')}</legend>
            <Choices
              options={POSITIONS.map((position) => ({
                value: position,
                label: t(`prompts.renameMany.${position}`),
              }))}
              value={fields.position}
              onChange={(position) => change({ position })}
            />
          </fieldset>
        </>
      )}
      {kind === 'number' && (
        <>
          <TextField
            label={t('prompts.name.label')}
            text={fields.base}
            onText={(base) => change({ base })}
          />
          <TextField
            label={t('prompts.renameMany.first')}
            text={fields.first}
            inputMode="numeric"
            problem={
              isFirstInvalid &&
              t('prompts.renameMany.badNumber', {
                max: formatNumber(ON_DEMAND_LIMITS.firstNumberMax),
              })
            }
            onText={(first) => change({ first })}
          />
        </>
      )}
    </div>
  )
}

/** @returns the typed renaming; undefined if a number is not valid */
export function renamingOf(fields: RenamingValues): Renaming | undefined {
  const { kind, find, replacement, text, position, base } = fields
  if (kind === 'replace') return { kind, find, replacement }
  if (kind === 'add') return { kind, text, position }
  const first = firstNumber(fields.first)
  return first === undefined ? undefined : { kind, base, first }
}

function firstNumber(text: string): number | undefined {
  const number = Number(text)
  return /^\d+$/.test(text.trim()) && number <= ON_DEMAND_LIMITS.firstNumberMax ? number : undefined
}

interface TextFieldProps extends Pick<ComponentProps<'input'>, 'inputMode' | 'ref'> {
  label: string
  text: string
  /** Why the text is not valid. */
  problem?: string | false
  onText(text: string): void
}

function TextField({ label, text, problem, onText, ...native }: TextFieldProps) {
  return (
    <Field label={label} hint={problem} state={problem ? 'invalid' : undefined}>
      <Input
        {...native}
        value={text}
        dir="auto"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="done"
        onChange={(event) => onText(event.target.value)}
      />
    </Field>
  )
}
