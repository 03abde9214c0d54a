import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { CardProps } from '../parts/card.ts'

/** Asks whether a share should be deleted. */
export function ShareDeleteCard({ onAnswer, onCancel }: CardProps<'shareDelete'>) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('share.delete.title')}
      hint={t('share.delete.hint')}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button tone="danger" onClick={() => onAnswer(true)}>
            {t('share.delete.act')}
          </Button>
        </>
      }
    />
  )
}
