import { useEffect, useRef, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { offerPasskeys, signInWithPasskey } from '#ui/state/session/passkey-sign-in.ts'

interface PasskeyLoginProps {
  /** The button is the main one of the form. */
  isFirst: boolean
  /** Why the passkey was refused; undefined when another attempt begins. */
  onProblem(problem: unknown): void
}

/**
 * The sign-in with a passkey: a button, and the offer of the browser in the field of the name. After the sign-in, the
 * router redirects to the requested page.
 */
export function PasskeyLogin({ isFirst, onProblem }: PasskeyLoginProps) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const report = useRef(onProblem)
  report.current = onProblem

  useEffect(() => {
    const controller = new AbortController()
    // Another attempt follows a refused passkey.
    offerPasskeys(controller.signal).catch((error) => {
      if (controller.signal.aborted) return
      report.current(error)
      setAttempt(attempt + 1)
    })
    return () => controller.abort()
  }, [attempt])

  async function logIn(): Promise<void> {
    setBusy(true)
    onProblem(undefined)
    try {
      if (await signInWithPasskey()) return
    } catch (error) {
      onProblem(error)
    }
    setBusy(false)
    setAttempt(attempt + 1)
  }

  return (
    <Button
      tone={isFirst ? 'accent' : undefined}
      wide
      icon="lock-keyhole"
      disabled={isBusy}
      onClick={() => void logIn()}
    >
      {t('settings.passkeys.logIn')}
    </Button>
  )
}
