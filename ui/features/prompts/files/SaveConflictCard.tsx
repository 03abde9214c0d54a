import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { nameOf } from '#wire/paths.ts'
import { autofocus } from '../parts/autofocus.ts'
import type { CardProps } from '../parts/card.ts'
import { VersionDiff } from '../parts/VersionDiff.tsx'

/** The file was changed or deleted since it was opened. Cancelling returns to the unsaved text. */
export function SaveConflictCard({ question, onAnswer, onCancel }: CardProps<'saveConflict'>) {
  const { t } = useTranslation()
  const { file, own, stored } = question
  const isDeleted = stored === null
  const name = nameOf(file)
  return (
    <Dialog
      title={t(isDeleted ? 'prompts.saveConflict.gone' : 'prompts.saveConflict.title', { name })}
      hint={t(isDeleted ? 'prompts.saveConflict.goneHint' : 'prompts.saveConflict.hint')}
      size={isDeleted ? undefined : 'xl'}
      onClose={onCancel}
      actions={
        <>
          <Button ref={autofocus} onClick={onCancel}>
            {t('prompts.saveConflict.back')}
          </Button>
          <Button onClick={() => onAnswer('saveAs')}>{t('prompts.saveConflict.saveAs')}</Button>
          {!isDeleted && (
            <Button onClick={() => onAnswer('takeTheirs')}>
              {t('prompts.saveConflict.takeTheirs')}
            </Button>
          )}
          <Button tone={isDeleted ? 'accent' : 'danger'} onClick={() => onAnswer('keepMine')}>
            {t(isDeleted ? 'prompts.saveConflict.create' : 'prompts.saveConflict.keepMine')}
          </Button>
        </>
      }
    >
      {!isDeleted && (
        <VersionDiff
          label={t('prompts.saveConflict.versions')}
          left={{ title: t('prompts.saveConflict.theirs'), text: stored }}
          right={{ title: t('prompts.saveConflict.mine'), text: own }}
        />
      )}
    </Dialog>
  )
}
