import { useTranslation } from '#ui/i18n/i18n.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'

/** Asks whether the changes of a form may be discarded. */
export function DiscardChangesCard({ onAnswer, onCancel }: CardProps<'discardChanges'>) {
  const { t } = useTranslation()
  return (
    <ConfirmCard
      title={t('prompts.discardChanges.title')}
      hint={t('prompts.discardChanges.hint')}
      action={t('prompts.discardChanges.act')}
      cancel={t('prompts.discardChanges.stay')}
      tone="danger"
      onConfirm={() => onAnswer(true)}
      onCancel={onCancel}
    />
  )
}
