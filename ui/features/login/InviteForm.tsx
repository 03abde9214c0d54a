import { type FormEvent, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { SignInError } from '#ui/components/sign-in/SignInError.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { FILES, goTo, LOGIN } from '#ui/lib/page/location.ts'
import { toastSuccess } from '#ui/state/messages/toasts.ts'
import { acceptInvitation } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { ConfirmedPassword } from './ConfirmedPassword.tsx'
import './LoginForm.css'

/** The form in which an invited user chooses the password of the account. */
export function InviteForm({ token, username }: { token: string; username: string }) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const password = String(form.get('password'))
    if (password !== form.get('confirmation')) return
    setBusy(true)
    setProblem(undefined)
    try {
      const isSignedIn = await acceptInvitation(token, password)
      // Without a code, the password is set nevertheless.
      if (!isSignedIn) toastSuccess(t('settings.password.updated'))
      goTo(isSignedIn ? `${FILES}/` : LOGIN, { replace: true })
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }

  return (
    <form className="LoginForm" onSubmit={submit}>
      {problem ? (
        <SignInError error={problem} mode="signUp" />
      ) : (
        <Notice>{t('invite.hint', { instance: settings.Name })}</Notice>
      )}
      {/* Password managers store the user name with the password. */}
      <input
        hidden
        readOnly
        autoComplete="username"
        aria-label={t('login.username')}
        value={username}
      />
      <ConfirmedPassword />
      <Button tone="accent" type="submit" wide disabled={isBusy}>
        {t('invite.act')}
      </Button>
    </form>
  )
}
