import { useSnapshot } from 'valtio'
import { useSearch } from 'wouter/use-browser-location'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { AuthCard } from '#ui/features/login/AuthCard.tsx'
import { FinishLogin } from '#ui/features/login/FinishLogin.tsx'
import { LoginForm } from '#ui/features/login/LoginForm.tsx'
import { PasswordHelp } from '#ui/features/login/PasswordHelp.tsx'
import { ProviderButtons } from '#ui/features/login/ProviderButtons.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { identityProblemText } from '#ui/i18n/identity-problems.ts'
import { goTo, LOGIN, SIGN_UP } from '#ui/lib/page/location.ts'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { usePageTitle } from './use-page-title.ts'

/** `/login`: sign-in, and sign-up if the server allows it. */
export function LoginPage() {
  const { t } = useTranslation()
  const { endedBy } = useSnapshot(session)
  const query = new URLSearchParams(useSearch())
  const signsUp = settings.Signup && query.has(SIGN_UP)
  const flow = query.get('flow')
  const problem = query.get('problem')
  const mode = signsUp ? 'signUp' : 'logIn'
  const reason = query.get('logout-reason') === 'inactivity' ? 'inactivity' : endedBy
  usePageTitle(t(signsUp ? 'login.signUpTitle' : 'login.page'))

  function toggleMode(): void {
    if (signsUp) query.delete(SIGN_UP)
    else query.set(SIGN_UP, '1')
    const queryText = query.toString()
    goTo(queryText ? `${LOGIN}?${queryText}` : LOGIN, { replace: true })
  }

  return (
    <AuthCard
      title={signsUp ? t('login.signUpTitle') : t('login.title', { name: settings.Name })}
      note={
        settings.Signup && (
          <>
            {t(signsUp ? 'login.haveAccount' : 'login.newHere')}{' '}
            <button type="button" onClick={toggleMode}>
              {t(signsUp ? 'login.toLogIn' : 'login.toSignUp')}
            </button>
          </>
        )
      }
    >
      {flow ? (
        <FinishLogin flow={flow} />
      ) : (
        <>
          {problem && <Notice tone="danger">{identityProblemText(problem)}</Notice>}
          <LoginForm key={mode} mode={mode} notice={reason && t(`login.${reason}`)} />
          {!signsUp && settings.PasswordHelp && <PasswordHelp text={settings.PasswordHelp} />}
          {!signsUp && settings.AuthMethod === 'json' && <ProviderButtons />}
        </>
      )}
    </AuthCard>
  )
}
