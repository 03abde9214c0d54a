import { useTranslation } from '#ui/i18n/i18n.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'

/** Asks whether a share should be deleted. */
export function ShareDeleteCard({ onAnswer, onCancel }: CardProps<'shareDelete'>) {
  const { t } = useTranslation()
  return (
    <ConfirmCard
      title={t('share.delete.title')}
      hint={t('share.delete.hint')}
      action={t('share.delete.act')}
      tone="danger"
      onConfirm={() => onAnswer(true)}
      onCancel={onCancel}
    />
  )
}
