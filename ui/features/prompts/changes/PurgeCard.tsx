import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'

/** Asks whether an item of the trash, several, or all of them, should be deleted permanently. */
export function PurgeCard({ question, onAnswer, onCancel }: CardProps<'purge'>) {
  const { t } = useTranslation()
  return (
    <ConfirmCard
      title={title()}
      hint={hint()}
      action={t(question.isAway ? 'settings.trash.forget' : 'prompts.purge.act')}
      tone="danger"
      onConfirm={() => onAnswer(true)}
      onCancel={onCancel}
    />
  )

  function hint(): string {
    if (question.isAway) return t('settings.trash.awayHint')
    const { all } = question
    const what =
      all === undefined ? [] : [t('details.items', { count: all, value: formatNumber(all) })]
    return [...what, t('prompts.purge.hint')].join(' · ')
  }

  function title(): string {
    const { path, count, isAway } = question
    if (isAway) return t('settings.trash.away')
    if (path !== undefined) return t('prompts.purge.one', { path })
    if (count === undefined) return t('prompts.purge.all')
    return t('prompts.plan.title.delete', { count, value: formatNumber(count) })
  }
}
