import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { withoutEnding } from '#wire/archives.ts'
import type { CardProps } from './card.ts'

/** Asks where an archive is extracted: beside it, or into a new folder. */
export function ExtractCard({ question, onAnswer, onCancel }: CardProps<'extract'>) {
  const { t } = useTranslation()
  const { entryName: name } = question
  const folder = withoutEnding(name)
  return (
    <Dialog
      title={t('prompts.extract.title', { name })}
      hint={t('prompts.extract.hint', { folder })}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button onClick={() => onAnswer('here')}>{t('prompts.extract.here')}</Button>
          <Button tone="accent" onClick={() => onAnswer('folder')}>
            {t('prompts.extract.folder')}
          </Button>
        </>
      }
    />
  )
}
