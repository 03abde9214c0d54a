import '#ui/i18n/settings-messages.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { CodeDialog } from '../parts/CodeDialog.tsx'
import type { CardProps } from '../parts/card.ts'

/** Asks for a code of the second factor, after the password. */
export function CodeCard({ question, onAnswer, onCancel }: CardProps<'code'>) {
  const { t } = useTranslation()
  return (
    <CodeDialog
      title={t('settings.secondFactor.ask')}
      hint={t('settings.secondFactor.askHint')}
      problem={question.isWrong ? t('settings.secondFactor.wrong') : undefined}
      action={t('settings.secondFactor.continue')}
      onCode={onAnswer}
      onCancel={onCancel}
    />
  )
}
