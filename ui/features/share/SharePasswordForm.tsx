import { type FormEvent, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { PasswordInput } from '#ui/components/fields/PasswordInput.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { publicShare, unlockPublicShare } from '#ui/state/sharing/public-share.ts'
import './SharePasswordForm.css'

/** Asks for the password of a share until it is correct. */
export function SharePasswordForm() {
  const { t } = useTranslation()
  const { refusal } = useSnapshot(publicShare)
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const password = input.current?.value
    if (!password) return
    setBusy(true)
    await unlockPublicShare(password)
    setBusy(false)
    input.current?.select()
  }

  return (
    <form className="SharePasswordForm" onSubmit={submit}>
      <p className="SharePasswordForm__hint">{t('share.locked.hint')}</p>
      {refusal && <Notice tone="danger">{t(`share.locked.${refusal}`)}</Notice>}
      <Field label={t('login.password')}>
        <PasswordInput ref={input} autoComplete="off" autoFocus required />
      </Field>
      <Button tone="accent" type="submit" wide disabled={isBusy}>
        {t('share.locked.open')}
      </Button>
    </form>
  )
}
