import { type FormEvent, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { removeDirectory, saveDirectory } from '#ui/state/administration/directories.ts'
import {
  type DirectoryChange,
  type DirectoryOptions,
  type LoginDirectory,
  STANDARD_DIRECTORY,
} from '#wire/api/directory.ts'
import { FormFooter } from '../rows/FormFooter.tsx'
import { SettingGroup } from '../rows/SettingGroup.tsx'
import { SwitchRow } from '../rows/SwitchRow.tsx'
import { toastUpdated } from '../rows/toast-updated.ts'
import { useUnsavedChanges } from '../rows/use-unsaved-changes.ts'
import '../GlobalForm.css'
import './DirectoryForm.css'
import { DirectoryServerRows } from './DirectoryServerRows.tsx'
import { DirectoryTestGroup } from './DirectoryTestGroup.tsx'
import { DirectoryUserRows } from './DirectoryUserRows.tsx'
import { MembershipRows } from './MembershipRows.tsx'

interface DirectoryFormProps {
  /** Undefined for a new directory. */
  stored: LoginDirectory | undefined
  onSaved(directory: LoginDirectory): void
  onClose(): void
}

/** A directory: its server, where its users and groups are, and what they become here. */
export function DirectoryForm({ stored, onSaved, onClose }: DirectoryFormProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<DirectoryChange>(() => changeOf(stored))
  const [before, setBefore] = useState(draft)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const hasChanges = JSON.stringify(draft) !== JSON.stringify(before)
  useUnsavedChanges(hasChanges)

  function change(changes: Partial<DirectoryChange>): void {
    setDraft((current) => ({ ...current, ...changes }))
    setProblem(undefined)
  }

  const changeOptions = (options: Partial<DirectoryOptions>) =>
    change({ options: { ...draft.options, ...options } })

  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(faultText(error))
    }
    setBusy(false)
  }

  async function save(): Promise<void> {
    const saved = await saveDirectory(draft, !stored)
    if (!saved) return
    const { bindPassword: _, ...rest } = draft
    setDraft(rest)
    setBefore(rest)
    toastUpdated()
    onSaved(saved)
  }

  async function remove(id: string): Promise<void> {
    if (await removeDirectory(id)) onClose()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    void run(save)
  }

  return (
    <div className="DirectoryForm">
      <form className="GlobalForm" onSubmit={submit} autoComplete="off">
        <DirectoryServerRows
          title={stored?.label ?? t('settings.identity.directory.add')}
          value={draft}
          stored={stored}
          onChange={change}
          onOptions={changeOptions}
        />
        <DirectoryUserRows value={draft.options} onChange={changeOptions} />
        <SettingGroup title={t('settings.identity.accounts')}>
          <MembershipRows
            value={draft.options}
            adminHint={t('settings.identity.directory.adminGroupsHint')}
            onChange={changeOptions}
          />
          <SwitchRow
            title={t('settings.identity.directory.enabled')}
            checked={draft.isEnabled}
            onChange={(isEnabled) => change({ isEnabled })}
          />
        </SettingGroup>
        <FormFooter
          problem={problem}
          isBusy={isBusy}
          isUnchanged={!hasChanges}
          action={t('settings.save')}
          discard={t('common.close')}
          onDiscard={onClose}
        >
          {stored && (
            <Button
              tone="danger"
              disabled={isBusy}
              onClick={() => void run(() => remove(stored.id))}
            >
              {t('settings.appPasswords.remove')}
            </Button>
          )}
        </FormFooter>
      </form>
      <DirectoryTestGroup directory={draft} isDisabled={isBusy} />
    </div>
  )
}

function changeOf(stored: LoginDirectory | undefined): DirectoryChange {
  if (!stored) return { id: '', label: '', isEnabled: false, options: { ...STANDARD_DIRECTORY } }
  const { id, label, isEnabled, options } = stored
  return { id, label, isEnabled, options }
}
