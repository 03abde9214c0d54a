import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Door } from '#ui/features/login/Door.tsx'
import { LoginForm } from '#ui/features/login/LoginForm.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { session } from '#ui/state/session.ts'
import { settings } from '#ui/state/settings.ts'
import { usePageTitle } from './use-page-title.ts'

/** `/login`: signing in, and signing up where the instance allows it. */
export function LoginPage() {
  const { t } = useTranslation()
  const { endedBy } = useSnapshot(session)
  const [mode, setMode] = useState<'logIn' | 'signUp'>('logIn')
  const signsUp = mode === 'signUp'
  usePageTitle(t('login.page'))
  return (
    <Door
      title={signsUp ? t('login.signUpTitle') : t('login.title', { name: settings.Name })}
      alternative={
        settings.Signup && (
          <>
            {t(signsUp ? 'login.haveAccount' : 'login.newHere')}{' '}
            <button type="button" onClick={() => setMode(signsUp ? 'logIn' : 'signUp')}>
              {t(signsUp ? 'login.toLogIn' : 'login.toSignUp')}
            </button>
          </>
        )
      }
    >
      <LoginForm key={mode} mode={mode} notice={endedBy && t(`login.${endedBy}`)} />
    </Door>
  )
}
