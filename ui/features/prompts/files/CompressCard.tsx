import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { CardProps } from '../parts/card.ts'
import { FormatCard } from '../parts/FormatCard.tsx'

/** Asks for the format of a new archive in the folder. */
export function CompressCard({ question, onAnswer, onCancel }: CardProps<'compress'>) {
  const { t } = useTranslation()
  const { entryName: name, count } = question
  return (
    <FormatCard
      title={t('prompts.compress.title', { count, name, value: formatNumber(count) })}
      hint={t('prompts.compress.hint')}
      action={t('prompts.compress.act')}
      onAnswer={onAnswer}
      onCancel={onCancel}
    />
  )
}
