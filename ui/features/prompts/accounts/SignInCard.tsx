import { useState } from 'react'
import { Captcha } from '#ui/components/sign-in/Captcha.tsx'
import { SignInError } from '#ui/components/sign-in/SignInError.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { captchaUnsolved } from '#ui/i18n/sign-in-faults.ts'
import { signIn } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import type { CardProps } from '../parts/card.ts'
import { PasswordDialog } from '../parts/PasswordDialog.tsx'

/** The session has expired: signs the same user in again, over the unchanged page. */
export function SignInCard({ question, onAnswer, onCancel }: CardProps<'signIn'>) {
  const { t } = useTranslation()
  const { username } = question
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [recaptcha, setRecaptcha] = useState('')
  const [attempt, setAttempt] = useState(0)

  async function tryPassword(password: string): Promise<void> {
    if (settings.ReCaptcha && recaptcha === '') return setProblem(captchaUnsolved())
    setBusy(true)
    try {
      if (await signIn(username, password, recaptcha)) return onAnswer(true)
      setProblem(undefined)
      startAgain()
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
    <PasswordDialog
      title={t('prompts.signIn.title')}
      hint={t('prompts.signIn.hint', { name: username })}
      username={username}
      label={t('login.password')}
      action={t('login.logIn')}
      cancel={t('prompts.signIn.leave')}
      isBusy={isBusy}
      onPassword={(password) => void tryPassword(password)}
      onCancel={onCancel}
    >
      {problem !== undefined && <SignInError error={problem} mode="logIn" />}
      {settings.ReCaptcha && (
        <Captcha
          key={attempt}
          host={settings.ReCaptchaHost}
          siteKey={settings.ReCaptchaKey}
          onResponse={setRecaptcha}
        />
      )}
    </PasswordDialog>
  )
}
