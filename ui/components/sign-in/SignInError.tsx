import { formatWait } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { signInError, waitOf } from '#ui/i18n/sign-in-faults.ts'
import { Notice } from '../feedback/Notice.tsx'
import { useCountdown } from './use-countdown.ts'

interface SignInErrorProps {
  error: unknown
  mode: 'logIn' | 'signUp'
}

/** Why a sign-in failed; after too many attempts or of a busy server, a countdown until the next attempt. */
export function SignInError({ error, mode }: SignInErrorProps) {
  const { t } = useTranslation()
  const secondsLeft = useCountdown(waitOf(error))
  return (
    <Notice tone="danger">
      <span>
        {signInError(error, mode, secondsLeft > 0)}{' '}
        {secondsLeft > 0 && (
          <span className="numeric" role="timer" aria-live="off">
            {t('login.waitFor', { span: formatWait(secondsLeft) })}
          </span>
        )}
      </span>
    </Notice>
  )
}
