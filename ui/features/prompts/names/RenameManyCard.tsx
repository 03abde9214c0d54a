import { type FormEvent, useDeferredValue, useId, useMemo, useState } from 'react'
import { Choices } from '#ui/components/controls/Choices.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type NewName, newNames } from '#ui/lib/entries/new-names.ts'
import { findNameWarning } from '#ui/lib/entries/usable-names.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'
import { NewNameList } from './NewNameList.tsx'
import {
  RENAMING_KINDS,
  RenamingFields,
  type RenamingValues,
  renamingOf,
} from './RenamingFields.tsx'
import './RenameManyCard.css'

/** Asks how to rename several entries, and shows the new names before anything is renamed. */
export function RenameManyCard({ question, onAnswer, onCancel }: CardProps<'renameMany'>) {
  const { t } = useTranslation()
  const { entries, siblings } = question
  const formId = useId()
  const [fields, setFields] = useState(NO_FIELDS)
  // The names of a large selection are computed after the typed character is shown.
  const shownFields = useDeferredValue(fields)
  const names = useMemo(() => {
    const renaming = renamingOf(shownFields)
    return renaming && newNames(entries, renaming, siblings)
  }, [shownFields, entries, siblings])
  const summary = summaryOf(names)

  function submit(event: FormEvent): void {
    event.preventDefault()
    // The deferred names may be older than the fields.
    const renaming = renamingOf(fields)
    const wanted = renaming && newNames(entries, renaming, siblings)
    if (wanted && summaryOf(wanted).isReady) onAnswer(wanted)
  }

  return (
    <ConfirmCard
      title={t('prompts.renameMany.title', {
        count: entries.length,
        value: formatNumber(entries.length),
      })}
      wide
      action={t('prompts.rename.act')}
      form={formId}
      disabled={!summary.isReady}
      onCancel={onCancel}
    >
      <form className="RenameManyCard" id={formId} onSubmit={submit} autoComplete="off" noValidate>
        <fieldset>
          <legend className="visually-hidden">{t('prompts.rename.act')}</legend>
          <Choices
            options={RENAMING_KINDS.map((kind) => ({
              value: kind,
              label: t(`prompts.renameMany.${kind}`),
            }))}
            value={fields.kind}
            onChange={(kind) => setFields({ ...fields, kind })}
          />
        </fieldset>
        <RenamingFields fields={fields} onChange={setFields} />
        <NewNameList names={names ?? entries.map((entry) => ({ entry, name: entry.name }))} />
        <p
          className="RenameManyCard__summary"
          data-invalid={summary.invalid > 0 || !names || undefined}
          aria-live="polite"
        >
          {summaryText()}
        </p>
      </form>
    </ConfirmCard>
  )

  function summaryText(): string {
    const { invalid, changed, warning } = summary
    if (!names) return ''
    if (invalid > 0)
      return t('prompts.renameMany.invalid', { count: invalid, value: formatNumber(invalid) })
    if (changed === 0) return t('prompts.renameMany.unchanged')
    return warning ? t(`prompts.name.${warning}`) : ''
  }
}

const NO_FIELDS: RenamingValues = {
  kind: 'replace',
  find: '',
  replacement: '',
  text: '',
  position: 'before',
  base: '',
  first: '1',
}

/** The number of changed names and of names that cannot be used, and the first warning about another system. */
function summaryOf(names: readonly NewName[] = []) {
  const changed = names.filter(({ entry, name }) => name !== entry.name)
  const invalid = changed.filter(({ problem }) => problem !== undefined).length
  const warned = changed.find(({ name }) => findNameWarning(name))
  return {
    changed: changed.length,
    invalid,
    warning: warned && findNameWarning(warned.name),
    isReady: changed.length > 0 && invalid === 0,
  }
}
