import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { CardProps } from '../parts/card.ts'

/** Asks whether an item of the trash, several, or all of them, should be deleted permanently. */
export function PurgeCard({ question, onAnswer, onCancel }: CardProps<'purge'>) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={title()}
      hint={t('prompts.purge.hint')}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button tone="danger" onClick={() => onAnswer(true)}>
            {t('prompts.purge.act')}
          </Button>
        </>
      }
    />
  )

  function title(): string {
    const { path, count } = question
    if (path !== undefined) return t('prompts.purge.one', { path })
    if (count === undefined) return t('prompts.purge.all')
    return t('prompts.plan.title.delete', { count, value: formatNumber(count) })
  }
}
