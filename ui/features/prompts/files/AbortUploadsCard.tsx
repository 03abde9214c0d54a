import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'

/** Asks whether running uploads should be cancelled. */
export function AbortUploadsCard({ question, onAnswer, onCancel }: CardProps<'abortUploads'>) {
  const { t } = useTranslation()
  const { count } = question
  const value = formatNumber(count)
  return (
    <ConfirmCard
      title={t('prompts.abortUploads.title', { count, value })}
      hint={t('prompts.abortUploads.hint', { count })}
      action={t('prompts.abortUploads.act', { count, value })}
      cancel={t('prompts.abortUploads.keep', { count })}
      tone="danger"
      onConfirm={() => onAnswer(true)}
      onCancel={onCancel}
    />
  )
}
