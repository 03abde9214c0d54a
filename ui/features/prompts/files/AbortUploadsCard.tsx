import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { CardProps } from '../parts/card.ts'

/** Asks whether running uploads should be cancelled. */
export function AbortUploadsCard({ question, onAnswer, onCancel }: CardProps<'abortUploads'>) {
  const { t } = useTranslation()
  const { count } = question
  const value = formatNumber(count)
  return (
    <Dialog
      title={t('prompts.abortUploads.title', { count, value })}
      hint={t('prompts.abortUploads.hint', { count })}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('prompts.abortUploads.keep', { count })}</Button>
          <Button tone="danger" onClick={() => onAnswer(true)}>
            {t('prompts.abortUploads.act', { count, value })}
          </Button>
        </>
      }
    />
  )
}
