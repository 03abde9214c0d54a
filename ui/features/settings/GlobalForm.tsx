import { type FormEvent, useState } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { saveGlobalSettings, settings } from '#ui/state/settings.ts'
import type { GlobalSettings } from '#wire/settings.ts'
import { AccessGroup } from './AccessGroup.tsx'
import { BrandingGroup } from './BrandingGroup.tsx'
import { CommandRunnerGroup } from './CommandRunnerGroup.tsx'
import { DefaultsGroups } from './DefaultsGroups.tsx'
import { FormFoot } from './FormFoot.tsx'
import { Part } from './Part.tsx'
import { RulesEditor } from './RulesEditor.tsx'
import { problemOf } from './rules.ts'
import { type FormTrouble, formTrouble } from './trouble.ts'
import { UploadsGroup } from './UploadsGroup.tsx'
import { sayUpdated } from './updated.ts'
import { useUnsaved } from './use-unsaved.ts'
import './GlobalForm.css'

interface GlobalFormProps {
  saved: GlobalSettings
  onSaved(settings: GlobalSettings): void
  /** Everything as it was saved. */
  onDiscard(): void
}

/** What holds for everybody: general settings, what new people begin with, commands. */
export function GlobalForm({ saved, onSaved, onDiscard }: GlobalFormProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(saved)
  const [trouble, setTrouble] = useState<FormTrouble>()
  const [busy, setBusy] = useState(false)
  const dirty = JSON.stringify(draft) !== JSON.stringify(saved)
  useUnsaved(dirty)

  function change(changes: Partial<GlobalSettings>): void {
    setDraft((before) => ({ ...before, ...changes }))
    setTrouble(undefined)
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (draft.rules.some(problemOf)) return setTrouble({ text: t('settings.rules.problems.any') })
    setBusy(true)
    setTrouble(undefined)
    try {
      const kept = await saveGlobalSettings(draft)
      setDraft(kept)
      onSaved(kept)
      sayUpdated()
    } catch (error) {
      setTrouble(formTrouble(error))
    }
    setBusy(false)
  }

  const signupTrouble = trouble?.field === 'signup' ? trouble.text : undefined
  return (
    <form className="GlobalForm" onSubmit={submit} autoComplete="off">
      <Part title={t('settings.global.general')}>
        <AccessGroup value={draft} signupTrouble={signupTrouble} onChange={change} />
        <BrandingGroup value={draft.branding} onChange={(branding) => change({ branding })} />
        <UploadsGroup value={draft.tus} onChange={(tus) => change({ tus })} />
        <RulesEditor
          title={t('settings.rules.title')}
          hint={t('settings.rules.globalHint')}
          rules={draft.rules}
          onChange={(rules) => change({ rules })}
        />
      </Part>
      <Part title={t('settings.global.defaults')} hint={t('settings.global.defaultsHint')}>
        <DefaultsGroups value={draft.defaults} onChange={(defaults) => change({ defaults })} />
      </Part>
      {settings.EnableExec && (
        <Part title={t('settings.runner.title')} hint={t('settings.runner.hint')}>
          <CommandRunnerGroup value={draft} onChange={change} />
        </Part>
      )}
      <FormFoot
        busy={busy}
        trouble={signupTrouble ? undefined : trouble?.text}
        act={t('settings.save')}
        onDiscard={dirty ? onDiscard : undefined}
      />
    </form>
  )
}
