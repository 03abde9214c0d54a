import { type FormEvent, useId, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { PasswordInput } from '#ui/components/fields/PasswordInput.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { linkDirectory } from '#ui/state/administration/directories.ts'
import { autofocus } from '../parts/autofocus.ts'
import type { CardProps } from '../parts/card.ts'
import './NewAppPasswordCard.css'

/** Asks for name and password in a directory, and links the account with the own password. */
export function LinkDirectoryCard({ question, onAnswer, onCancel }: CardProps<'linkDirectory'>) {
  const { t } = useTranslation()
  const formId = useId()
  const { id, label: name } = question.directory
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isComplete = username.trim() !== '' && password !== ''

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!isComplete) return
    setBusy(true)
    setProblem(undefined)
    try {
      if (await linkDirectory(id, { username, password })) onAnswer(true)
    } catch (error) {
      setProblem(faultText(error))
    }
    setBusy(false)
  }

  return (
    <Dialog
      title={t('settings.identity.linked.link', { name })}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button tone="accent" type="submit" form={formId} disabled={isBusy || !isComplete}>
            {t('common.add')}
          </Button>
        </>
      }
    >
      <form className="NewAppPasswordCard" id={formId} onSubmit={submit} noValidate>
        {problem && <Notice tone="danger">{problem}</Notice>}
        <Field label={t('settings.identity.directory.username', { name })}>
          <Input
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            value={username}
            ref={autofocus}
            onChange={(event) => setUsername(event.target.value)}
          />
        </Field>
        <Field label={t('settings.identity.directory.password', { name })}>
          <PasswordInput
            autoComplete="off"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
