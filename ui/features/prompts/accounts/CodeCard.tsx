import { formatList } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isPasskeyHost } from '#ui/lib/page/passkey-page.ts'
import { session } from '#ui/state/session/session.ts'
import { CodeDialog } from '../parts/CodeDialog.tsx'
import type { CardProps } from '../parts/card.ts'

/** Asks for a code of the second factor or for a passkey, after the password. */
export function CodeCard({ question, onAnswer, onCancel }: CardProps<'code'>) {
  const { t } = useTranslation()
  const { app, passkeyHosts, problem } = question
  const canUsePasskey = isPasskeyHost(passkeyHosts)

  function hint(): string {
    if (app) return t('settings.secondFactor.askHint')
    if (canUsePasskey) return t('settings.passkeys.recoveryHint')
    return t('settings.passkeys.awayHint', { host: formatList(passkeyHosts) })
  }

  return (
    <CodeDialog
      title={t('settings.secondFactor.ask')}
      hint={hint()}
      problem={problem}
      isPage={session.user === null}
      action={t('settings.secondFactor.continue')}
      onCode={(code) => onAnswer({ code })}
      onPasskey={canUsePasskey ? () => onAnswer('passkey') : undefined}
      onCancel={onCancel}
    />
  )
}
