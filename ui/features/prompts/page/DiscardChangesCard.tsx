import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { CardProps } from '../parts/card.ts'

/** Asks whether the changes of a form may be discarded. */
export function DiscardChangesCard({ onAnswer, onCancel }: CardProps<'discardChanges'>) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('prompts.discardChanges.title')}
      hint={t('prompts.discardChanges.hint')}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('prompts.discardChanges.stay')}</Button>
          <Button tone="danger" onClick={() => onAnswer(true)}>
            {t('prompts.discardChanges.act')}
          </Button>
        </>
      }
    />
  )
}
