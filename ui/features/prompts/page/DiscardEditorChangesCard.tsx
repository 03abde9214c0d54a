import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { nameOf } from '#wire/paths.ts'
import type { CardProps } from '../parts/card.ts'

/** Asks whether an edited text should be saved or discarded before its page is left. */
export function DiscardEditorChangesCard({
  question,
  onAnswer,
  onCancel,
}: CardProps<'discardEditorChanges'>) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('prompts.discard.title', { name: nameOf(question.file) })}
      hint={t('prompts.discard.hint')}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button tone="danger" onClick={() => onAnswer('discard')}>
            {t('prompts.discard.act')}
          </Button>
          <Button tone="accent" onClick={() => onAnswer('save')}>
            {t('prompts.discard.save')}
          </Button>
        </>
      }
    />
  )
}
