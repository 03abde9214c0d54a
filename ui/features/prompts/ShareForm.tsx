import { type FormEvent, useId, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/Dialog.tsx'
import { Field } from '#ui/components/Field.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { PasswordInput } from '#ui/components/PasswordInput.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { generatePassword } from '#ui/lib/generate-password.ts'
import { createShare } from '#ui/state/shares.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { type Share, shareLifetimeSec } from '#wire/share.ts'
import { autofocus } from './autofocus.ts'
import { type Lifetime, LifetimeField } from './LifetimeField.tsx'
import './ShareForm.css'

interface ShareFormProps {
  path: TreePath
  isDir: boolean
  /** `password`: what opens it, which nobody can read again. */
  onCreated(share: Share, password: string): void
  onCancel(): void
}

/** A new link: one press makes it and copies it; how long it lasts, and a password if wanted (docs/specification.md 5). */
export function ShareForm({ path, isDir, onCreated, onCancel }: ShareFormProps) {
  const { t } = useTranslation()
  const formId = useId()
  const [lifetime, setLifetime] = useState<Lifetime>({ amount: '', unit: 'days' })
  const [password, setPassword] = useState('')
  /** How often a password was generated: one that was made up here is shown. */
  const [generated, setGenerated] = useState(0)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const { amount, unit } = lifetime
  const lifetimeSec = shareLifetimeSec(amount, unit)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (lifetimeSec === undefined) return
    setBusy(true)
    setProblem(undefined)
    try {
      const lasts = lifetimeSec > 0 && { expires: amount.trim(), unit }
      const secret = password.trim()
      const options = { ...lasts, ...(secret && { password: secret }) }
      onCreated(await createShare(path, isDir, options), secret)
    } catch (error) {
      setProblem(faultText(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={t('share.newTitle', { name: nameOf(path) || t('places.home') })}
      hint={t(`share.hint.${isDir ? 'folder' : 'file'}`)}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button
            tone="accent"
            icon="link"
            type="submit"
            form={formId}
            ref={autofocus}
            disabled={busy || lifetimeSec === undefined}
          >
            {t('share.create')}
          </Button>
        </>
      }
    >
      <form className="ShareForm" id={formId} onSubmit={submit} autoComplete="off" noValidate>
        {problem && <Notice tone="danger">{problem}</Notice>}
        <LifetimeField value={lifetime} onChange={setLifetime} />
        <div className="ShareForm__password">
          <Field label={t('share.optionalPassword')}>
            <PasswordInput
              key={generated}
              shown={generated > 0}
              value={password}
              autoComplete="new-password"
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          <Button
            onClick={() => {
              setPassword(generatePassword())
              setGenerated(generated + 1)
            }}
          >
            {t('share.generate')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
