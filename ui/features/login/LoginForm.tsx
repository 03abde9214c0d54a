import { type FormEvent, Suspense, useRef, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { Field } from '#ui/components/fields/Field.tsx'
import { Input } from '#ui/components/fields/Input.tsx'
import { PasswordInput } from '#ui/components/fields/PasswordInput.tsx'
import { Captcha } from '#ui/components/sign-in/Captcha.tsx'
import { SignInError } from '#ui/components/sign-in/SignInError.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { captchaUnsolved } from '#ui/i18n/sign-in-faults.ts'
import { isPasskeyPage } from '#ui/lib/page/passkey-page.ts'
import { isPasskeyDevice } from '#ui/state/session/passkey-device.ts'
import { signIn, signUp } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { ConfirmedPassword } from './ConfirmedPassword.tsx'
import './LoginForm.css'

/** Loaded only where a user has a passkey. */
const PasskeyLogin = lazyPart(async () => (await import('./PasskeyLogin.tsx')).PasskeyLogin)

interface LoginFormProps {
  mode: 'logIn' | 'signUp'
  /** The message before the first attempt: why the session ended. */
  notice?: string | undefined
  /** The label of the button. */
  action?: string
  /** Called with the password after a log-in. */
  onSignedIn?(password: string): void
}

/** The form with name and password. After the sign-in, the router redirects to the requested page. */
export function LoginForm({ mode, notice, action, onSignedIn }: LoginFormProps) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [recaptcha, setRecaptcha] = useState('')
  const [attempt, setAttempt] = useState(0)
  const [isPasskeyKnown] = useState(isPasskeyDevice)
  /** The name of the account that was created, if only the sign-in after that has failed. */
  const created = useRef<string>(undefined)
  const signsUp = mode === 'signUp'
  const hasPasskeys = !signsUp && isPasskeyPage(settings.PasskeyOrigin)
  /** The passkey of this device comes before the password. */
  const isPasskeyFirst = hasPasskeys && isPasskeyKnown
  const passkey = hasPasskeys && (
    <Suspense fallback={<div className="LoginForm__loading" />}>
      <PasskeyLogin key={attempt} isFirst={isPasskeyFirst} onProblem={setProblem} />
    </Suspense>
  )

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [username, password, confirmation] = FIELDS.map((name) => String(form.get(name) ?? ''))
    if (!username || !password || (signsUp && password !== confirmation)) return
    // Without a captcha response the server would refuse the sign-in (docs/specification.md 5).
    if (settings.ReCaptcha && recaptcha === '') return setProblem(captchaUnsolved())
    setBusy(true)
    setProblem(undefined)
    try {
      if (signsUp && created.current !== username) {
        await signUp(username, password)
        created.current = username
      }
      if (await signIn(username, password, recaptcha)) onSignedIn?.(password)
      else startAgain()
    } catch (error) {
      setProblem(error)
      startAgain()
    }
  }

  function startAgain(): void {
    setBusy(false)
    setRecaptcha('')
    setAttempt(attempt + 1)
  }

  return (
    <form className="LoginForm" onSubmit={submit}>
      {problem ? (
        <SignInError error={problem} mode={created.current ? 'logIn' : mode} />
      ) : (
        notice && <Notice>{notice}</Notice>
      )}
      {isPasskeyFirst && passkey}
      <Field label={t('login.username')}>
        <Input
          name="username"
          autoComplete={signsUp ? 'username' : 'username webauthn'}
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
        />
      </Field>
      {signsUp ? (
        <ConfirmedPassword />
      ) : (
        <Field label={t('login.password')}>
          <PasswordInput name="password" autoComplete="current-password" required />
        </Field>
      )}
      {settings.ReCaptcha && (
        <Captcha
          key={attempt}
          host={settings.ReCaptchaHost}
          siteKey={settings.ReCaptchaKey}
          onResponse={setRecaptcha}
        />
      )}
      <Button tone={isPasskeyFirst ? undefined : 'accent'} type="submit" wide disabled={isBusy}>
        {action ?? t(signsUp ? 'login.signUp' : 'login.logIn')}
      </Button>
      {!isPasskeyFirst && passkey}
    </form>
  )
}

const FIELDS = ['username', 'password', 'confirmation'] as const
