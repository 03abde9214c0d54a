import { useEffect, useEffectEvent, useState } from 'react'
import { DateInput } from '#ui/components/fields/DateInput.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { Select } from '#ui/components/fields/Select.tsx'
import { choiceText } from '#ui/i18n/activity-text.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ACTIVITY_CHOICES, type ActivityFilter } from '#ui/lib/accounts/activity-filter.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { ActivityExports } from './ActivityExports.tsx'
import './ActivityFilters.css'

interface ActivityFiltersProps {
  filter: ActivityFilter
  /** User names to choose from; undefined for users who only see their own records. */
  names: readonly string[] | undefined
  onChange(changes: Partial<ActivityFilter>): void
}

/** The filter of the audit record, and buttons to export the matching records. */
export function ActivityFilters({ filter, names, onChange }: ActivityFiltersProps) {
  const { t } = useTranslation()
  const actions = ACTIVITY_CHOICES.map((choice) => ({ value: choice, label: choiceText(choice) }))
  return (
    <div className="ActivityFilters" data-with-names={names ? true : undefined}>
      <Field label={t('activity.filter.action')}>
        <Select
          value={filter.action}
          options={[{ value: '', label: t('activity.filter.everything') }, ...actions]}
          // The options of the select are the actions.
          onChange={(event) => onChange({ action: event.target.value as ActivityFilter['action'] })}
        />
      </Field>
      {names && (
        <Field label={t('activity.filter.person')}>
          <Select
            value={filter.username}
            options={[
              { value: '', label: t('activity.filter.everybody') },
              ...withChosen(names, filter.username).map((name) => ({ value: name, label: name })),
            ]}
            onChange={(event) => onChange({ username: event.target.value })}
          />
        </Field>
      )}
      <PathField path={filter.path} onChange={(path) => onChange({ path })} />
      <Field label={t('activity.filter.from')}>
        <DateInput max={filter.until} value={filter.from} onChange={(from) => onChange({ from })} />
      </Field>
      <Field label={t('activity.filter.until')}>
        <DateInput
          min={filter.from}
          value={filter.until}
          onChange={(until) => onChange({ until })}
        />
      </Field>
      <ActivityExports filter={filter} />
    </div>
  )
}

/** @returns the names and the chosen one, which may be that of a deleted user */
function withChosen(names: readonly string[], chosen: string): readonly string[] {
  return chosen === '' || names.includes(chosen) ? names : [...names, chosen]
}

function PathField({ path, onChange }: { path: string; onChange(path: string): void }) {
  const { t } = useTranslation()
  const [text, setText] = useState(path)
  const [lastPath, setLastPath] = useState(path)
  if (path !== lastPath) {
    setLastPath(path)
    setText(path)
  }
  const applyText = useEffectEvent((newPath: string) => {
    if (newPath !== path) onChange(newPath)
  })
  useEffect(() => {
    const timer = setTimeout(() => applyText(text), ON_DEMAND_LIMITS.filterPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <Field label={t('activity.filter.path')}>
      <Input
        type="search"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </Field>
  )
}
