import { useState } from 'react'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { QrCode } from '#ui/components/pictures/QrCode.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { copy } from '#ui/state/messages/copy.ts'
import { confirmSecondFactor } from '#ui/state/session/second-factor.ts'
import { CodeDialog } from '../parts/CodeDialog.tsx'
import type { CardProps } from '../parts/card.ts'
import './NewSecondFactorCard.css'

/** Shows the secret of a new second factor for an authenticator app, and puts it into use with a code of the app. */
export function NewSecondFactorCard(props: CardProps<'newSecondFactor'>) {
  const { question, onAnswer, onCancel } = props
  const { t } = useTranslation()
  const { secret, uri } = question.draft
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const key = t('settings.secondFactor.key')

  async function confirm(code: string): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    try {
      onAnswer(await confirmSecondFactor(code))
    } catch (error) {
      setProblem(faultText(error))
      setBusy(false)
    }
  }

  return (
    <CodeDialog
      title={t('settings.secondFactor.title')}
      hint={t('settings.secondFactor.scan')}
      problem={problem}
      action={t('settings.secondFactor.turnOn')}
      isBusy={isBusy}
      onCode={(code) => void confirm(code)}
      onCancel={onCancel}
    >
      <div className="NewSecondFactorCard">
        {/* On the phone with the app, a tap opens the app: it cannot scan its own screen. */}
        <a href={uri}>
          <QrCode text={uri} sizePx={176} label={t('settings.secondFactor.title')} />
        </a>
        <p className="NewSecondFactorCard__secret">
          <span className="NewSecondFactorCard__label">{key}</span>
          <code dir="ltr">{inGroups(secret)}</code>
          <IconButton
            icon="copy"
            label={t('details.copyOf', { name: key })}
            onClick={() => void copy(secret, { onError: setProblem })}
          />
        </p>
      </div>
    </CodeDialog>
  )
}

/** Groups of four letters, as authenticator apps show them. They ignore the spaces. */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
