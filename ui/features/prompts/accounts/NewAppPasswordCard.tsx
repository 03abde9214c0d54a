import { type FormEvent, useId, useState } from 'react'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { FolderInput } from '#ui/components/fields/FolderInput.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { Select } from '#ui/components/fields/Select.tsx'
import { PermissionsEditor } from '#ui/components/rights/PermissionsEditor.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { createAppPassword } from '#ui/state/administration/app-passwords.ts'
import { chooseFolder } from '#ui/state/administration/choose-folder.ts'
import { session } from '#ui/state/session/session.ts'
import { APP_PERMISSIONS, type AppPermission } from '#wire/api/app-passwords.ts'
import { isFault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { normalPermissions, permissionsOf } from '#wire/permissions.ts'
import { DAY_MS } from '#wire/units.ts'
import { autofocus } from '../parts/autofocus.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'
import './NewAppPasswordCard.css'

/** How many days an app password is valid; 0: until it is removed. */
const DAYS = [0, 30, 90, 365] as const

/** Asks for the name, the application, the permissions, the folder and the end of a new app password, and makes it. */
export function NewAppPasswordCard({ onAnswer, onCancel }: CardProps<'newAppPassword'>) {
  const { t } = useTranslation()
  const formId = useId()
  const [name, setName] = useState('')
  const [application, setApplication] = useState('')
  const [permissions, setPermissions] = useState(permissionsOf('download'))
  const givable = APP_PERMISSIONS.filter(mayGive)
  const given = givable.filter((permission) => permissions[permission])
  const [folder, setFolder] = useState('/')
  const [days, setDays] = useState(0)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  function textOf(error: unknown): string {
    if (isFault(error, 'tooMany') && error.reason === undefined)
      return t('settings.appPasswords.tooMany')
    return isFault(error, 'notFound', 'notDirectory')
      ? t('prompts.folders.noneFound')
      : faultText(error)
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (name.trim() === '') return
    setBusy(true)
    setProblem(undefined)
    try {
      const created = await createAppPassword({
        name: name.trim(),
        application: application.trim(),
        permissions: given,
        folder: folder.trim() || '/',
        expires: days === 0 ? '' : new Date(Date.now() + days * DAY_MS).toISOString(),
      })
      if (created) onAnswer(created)
    } catch (error) {
      setProblem(textOf(error))
    }
    setBusy(false)
  }

  return (
    <ConfirmCard
      title={t('settings.appPasswords.add')}
      hint={t('settings.appPasswords.hint')}
      wide
      action={t('common.add')}
      form={formId}
      disabled={isBusy || name.trim() === '' || given.length === 0}
      onCancel={onCancel}
    >
      <form
        className="NewAppPasswordCard"
        id={formId}
        onSubmit={submit}
        autoComplete="off"
        noValidate
      >
        {problem && <Notice tone="danger">{problem}</Notice>}
        <Field label={t('prompts.name.label')}>
          <Input
            value={name}
            maxLength={LIMITS.appPasswordNameMax}
            placeholder={t('settings.appPasswords.example')}
            ref={autofocus}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Field label={t('settings.appPasswords.application.title')}>
          <Input
            value={application}
            maxLength={LIMITS.appPasswordNameMax}
            placeholder={t('settings.appPasswords.application.example')}
            onChange={(event) => setApplication(event.target.value)}
          />
        </Field>
        <div>
          <p className="NewAppPasswordCard__label">{t('settings.permissions.title')}</p>
          <PermissionsEditor only={givable} value={permissions} onChange={setPermissions} />
        </div>
        <Field label={t('kinds.folder')} hint={t('settings.appPasswords.folderHint')}>
          <FolderInput value={folder} choose={chooseFolder} onChange={setFolder} />
        </Field>
        <Field label={t('share.lasts')}>
          <Select
            value={String(days)}
            options={DAYS.map((count) => ({
              value: String(count),
              label: count === 0 ? t('share.never') : t('share.days', { count }),
            }))}
            onChange={(event) => setDays(Number(event.target.value))}
          />
        </Field>
      </form>
    </ConfirmCard>
  )
}

/** Whether the user has a permission, so that an app password can have it. */
function mayGive(permission: AppPermission): boolean {
  const { user } = session
  return user !== null && normalPermissions(user.perm)[permission]
}
