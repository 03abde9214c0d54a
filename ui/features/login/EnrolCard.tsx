import { useEffect, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { deviceName } from '#ui/i18n/device-name.ts'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { passkeyObstacle } from '#ui/lib/page/passkey-page.ts'
import { addPasskey, ownPasskeys } from '#ui/state/session/passkeys.ts'
import { setUpSecondFactor } from '#ui/state/session/second-factor.ts'
import { endEnrolment, signOut } from '#ui/state/session/session.ts'
import { AuthCard } from './AuthCard.tsx'
import './LoginForm.css'

/** What a user sees who must set up a second factor first: nothing else is possible before. */
export function EnrolCard() {
  const { t } = useTranslation()
  const [canAddPasskey, setCanAddPasskey] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    // Without the list, the app is offered alone.
    ownPasskeys().then(
      ({ origin }) => setCanAddPasskey(passkeyObstacle(origin) === undefined),
      () => undefined,
    )
  }, [])

  async function run(add: () => Promise<boolean>): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      if (await add()) return endEnrolment()
    } catch (error) {
      setProblem(error)
    }
    setBusy(false)
  }

  return (
    <AuthCard
      title={t('settings.secondFactor.title')}
      note={
        <button type="button" onClick={() => void signOut()}>
          {t('actions.logOut')}
        </button>
      }
    >
      <div className="LoginForm">
        {problem ? (
          <Notice tone="danger">{faultText(problem)}</Notice>
        ) : (
          <Notice>{t('settings.secondFactor.due')}</Notice>
        )}
        {canAddPasskey && (
          <Button
            tone="accent"
            wide
            icon="lock-keyhole"
            disabled={isBusy}
            onClick={() => void run(() => addPasskey(deviceName(navigator.userAgent)))}
          >
            {t('settings.passkeys.add')}
          </Button>
        )}
        <Button
          wide
          {...(!canAddPasskey && { tone: 'accent' })}
          disabled={isBusy}
          onClick={() => void run(setUpSecondFactor)}
        >
          {t('settings.secondFactor.useApp')}
        </Button>
      </div>
    </AuthCard>
  )
}
