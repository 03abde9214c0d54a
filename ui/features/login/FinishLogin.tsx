import { useEffect, useRef, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { goTo, LOGIN } from '#ui/lib/page/location.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import { linkAccount } from '#ui/state/session/provider-login.ts'
import { signInWithProvider } from '#ui/state/session/session.ts'
import { type FaultReason, isFault } from '#wire/fault.ts'
import { LoginForm } from './LoginForm.tsx'
import './FinishLogin.css'

/** Refusals after which the account at the provider can be linked with one here. */
const LINKABLE: readonly (FaultReason | undefined)[] = [
  'identityUnknown',
  'identityNameTaken',
  'identityNameless',
  'identityRemoved',
]

/** The end of a log-in with a provider: the session is requested once; or the account is linked with its password. */
export function FinishLogin({ flow }: { flow: string }) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<unknown>()
  const started = useRef('')

  useEffect(() => {
    // React calls effects twice during development.
    if (started.current === flow) return
    started.current = flow
    // After the log-in, the router redirects to the requested page.
    signInWithProvider(flow).catch(setProblem)
  }, [flow])

  /** The page is left by the log-in, so the result is a toast. */
  async function linkNow(password: string): Promise<void> {
    try {
      await linkAccount(flow, password)
      toastSuccess(t('settings.identity.linked.done'))
    } catch (error) {
      toastError(error)
    }
  }

  if (problem === undefined) return <Loading />
  const canLink = isFault(problem) && LINKABLE.includes(problem.reason)
  return (
    <div className="FinishLogin">
      <Notice tone="danger">{faultText(problem)}</Notice>
      {canLink && (
        <>
          <p>{t('settings.identity.linkHint')}</p>
          <LoginForm
            mode="logIn"
            action={t('settings.identity.linkAct')}
            onSignedIn={(password) => void linkNow(password)}
          />
        </>
      )}
      <Button tone="quiet" wide onClick={() => goTo(`${LOGIN}?local=1`)}>
        {t('settings.identity.otherWay')}
      </Button>
    </div>
  )
}
