import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { CardProps } from '../parts/card.ts'

/** Asks whether an item of the trash, or all of them, should be deleted permanently. */
export function PurgeCard({ question, onAnswer, onCancel }: CardProps<'purge'>) {
  const { t } = useTranslation()
  const { path } = question
  return (
    <Dialog
      title={path === undefined ? t('prompts.purge.all') : t('prompts.purge.one', { path })}
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
}
