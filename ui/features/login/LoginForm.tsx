import { type FormEvent, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { Field } from '#ui/components/Field.tsx'
import { Input } from '#ui/components/Input.tsx'
import { Notice } from '#ui/components/Notice.tsx'
import { PasswordInput } from '#ui/components/PasswordInput.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { signIn, signUp } from '#ui/state/session.ts'
import { troubleText } from './trouble.ts'
import './LoginForm.css'

interface LoginFormProps {
  mode: 'logIn' | 'signUp'
  /** What to say before anything was tried: why the session ended. */
  notice?: string | undefined
}

/** Name and password. The guard leads on once somebody is signed in. */
export function LoginForm({ mode, notice }: LoginFormProps) {
  const { t } = useTranslation()
  const [trouble, setTrouble] = useState<string>()
  const [busy, setBusy] = useState(false)
  const signsUp = mode === 'signUp'

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [username, password, confirmation] = FIELDS.map((name) => String(form.get(name) ?? ''))
    if (!username || !password) return
    if (signsUp && password !== confirmation) return setTrouble(t('login.passwordsDontMatch'))
    setBusy(true)
    setTrouble(undefined)
    try {
      await (signsUp ? signUp(username, password) : signIn(username, password))
    } catch (error) {
      setTrouble(troubleText(error, mode))
      setBusy(false)
    }
  }

  return (
    <form className="LoginForm" onSubmit={submit}>
      {trouble ? <Notice tone="danger">{trouble}</Notice> : notice && <Notice>{notice}</Notice>}
      <Field label={t('login.username')}>
        <Input
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
        />
      </Field>
      <Field label={t('login.password')}>
        <PasswordInput
          name="password"
          autoComplete={signsUp ? 'new-password' : 'current-password'}
          required
        />
      </Field>
      {signsUp && (
        <Field label={t('login.confirmation')}>
          <PasswordInput name="confirmation" autoComplete="new-password" required />
        </Field>
      )}
      <Button tone="accent" type="submit" wide disabled={busy}>
        {t(signsUp ? 'login.signUp' : 'login.logIn')}
      </Button>
    </form>
  )
}

const FIELDS = ['username', 'password', 'confirmation'] as const
