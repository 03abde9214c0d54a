import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { CardProps } from '../parts/card.ts'
import { FormatCard } from '../parts/FormatCard.tsx'

/** Asks for the format in which several entries, or a folder, are downloaded. */
export function DownloadCard({ question, onAnswer, onCancel }: CardProps<'download'>) {
  const { t } = useTranslation()
  const { entryName: name, count, leftOut = 0 } = question
  const title =
    count === 'all'
      ? t('prompts.download.titleAll', { name })
      : t('prompts.download.title', { count, name, value: formatNumber(count) })
  return (
    <FormatCard
      title={title}
      hint={t('prompts.download.hint')}
      action={t('prompts.download.act')}
      leftOut={leftOut}
      onAnswer={onAnswer}
      onCancel={onCancel}
    />
  )
}
