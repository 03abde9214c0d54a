import { type FormEvent, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { changesBetween } from '#ui/lib/accounts/changes.ts'
import type { GlobalSection } from '#ui/lib/accounts/global-sections.ts'
import { saveGlobalSettings } from '#ui/state/session/settings.ts'
import { withLeadingSlash } from '#wire/api/rules.ts'
import type { GlobalSettings } from '#wire/api/settings.ts'
import { RulesEditor } from './rights/RulesEditor.tsx'
import { ruleProblemOf } from './rights/rules.ts'
import { FormFooter } from './rows/FormFooter.tsx'
import { FormSection } from './rows/FormSection.tsx'
import { type FormError, formErrorOf } from './rows/form-error.ts'
import { toastUpdated } from './rows/toast-updated.ts'
import { useUnsavedChanges } from './rows/use-unsaved-changes.ts'
import { AccessGroup } from './server/AccessGroup.tsx'
import { BrandingGroup } from './server/BrandingGroup.tsx'
import { CommandRunnerGroup } from './server/CommandRunnerGroup.tsx'
import { DefaultsGroups } from './server/DefaultsGroups.tsx'
import { UploadsGroup } from './server/UploadsGroup.tsx'
import './GlobalForm.css'

interface GlobalFormProps {
  section: GlobalSection
  saved: GlobalSettings
  onSaved(settings: GlobalSettings): void
  /** Resets the form to the saved values. */
  onDiscard(): void
}

/** One section of the settings for all users. */
export function GlobalForm({ section, saved, onSaved, onDiscard }: GlobalFormProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(saved)
  const [problem, setProblem] = useState<FormError>()
  const [isBusy, setBusy] = useState(false)
  const hasChanges = JSON.stringify(draft) !== JSON.stringify(saved)
  useUnsavedChanges(hasChanges)

  function change(changes: Partial<GlobalSettings>): void {
    setDraft((before) => ({ ...before, ...changes }))
    setProblem(undefined)
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (draft.rules.some(ruleProblemOf))
      return setProblem({ text: t('settings.rules.problems.any') })
    setBusy(true)
    setProblem(undefined)
    try {
      const rules = draft.rules.map(withLeadingSlash)
      const stored = await saveGlobalSettings(saved, { ...draft, rules })
      // What was typed during the save stays.
      setDraft((now) => ({ ...stored, ...changesBetween(draft, now) }))
      onSaved(stored)
      toastUpdated()
    } catch (error) {
      setProblem(formErrorOf(error))
    }
    setBusy(false)
  }

  return (
    <form className="GlobalForm" onSubmit={submit} autoComplete="off">
      {section === 'branding' && (
        <BrandingGroup value={draft.branding} onChange={(branding) => change({ branding })} />
      )}
      {section === 'access' && <AccessGroup value={draft} problem={problem} onChange={change} />}
      {section === 'uploads' && (
        <UploadsGroup value={draft.tus} onChange={(tus) => change({ tus })} />
      )}
      {section === 'rules' && (
        <RulesEditor
          title={t('settings.rules.title')}
          hint={t('settings.rules.globalHint')}
          rules={draft.rules}
          onChange={(rules) => change({ rules })}
        />
      )}
      {section === 'defaults' && (
        <FormSection title={t('settings.global.defaults')} hint={t('settings.global.defaultsHint')}>
          <DefaultsGroups value={draft.defaults} onChange={(defaults) => change({ defaults })} />
        </FormSection>
      )}
      {section === 'commands' && (
        <FormSection title={t('settings.runner.title')} hint={t('settings.runner.hint')}>
          <CommandRunnerGroup value={draft} onChange={change} />
        </FormSection>
      )}
      <FormFooter
        isBusy={isBusy}
        isUnchanged={!hasChanges}
        // A problem of a field stands in its row.
        problem={problem?.field ? undefined : problem?.text}
        action={t('settings.save')}
        onDiscard={hasChanges ? onDiscard : undefined}
      />
    </form>
  )
}
