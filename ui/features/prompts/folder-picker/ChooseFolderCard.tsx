import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownPath } from '#ui/lib/entries/shown-name.ts'
import { session } from '#ui/state/session/session.ts'
import { ROOT } from '#wire/paths.ts'
import type { CardProps } from '../parts/card.ts'
import { FolderPicker } from './FolderPicker.tsx'

/** Asks for a folder that a setting names. */
export function ChooseFolderCard({ question, onAnswer, onCancel }: CardProps<'chooseFolder'>) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const [folder, setFolder] = useState(question.start)
  return (
    <Dialog
      title={t('prompts.folders.choose')}
      hint={folder === ROOT ? t('places.home') : shownPath(folder)}
      wide
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button tone="accent" onClick={() => onAnswer(folder)}>
            {t('prompts.folders.act')}
          </Button>
        </>
      }
    >
      <FolderPicker
        start={question.start}
        excluded={[]}
        canCreate={user?.perm.create ?? false}
        opensByClick={user?.singleClick ?? false}
        onChange={setFolder}
        onLoaded={ignore}
        onConfirm={() => onAnswer(folder)}
      />
    </Dialog>
  )
}

/** A folder is chosen, and nothing is put into it: it may be one that only can be listed. */
function ignore(): void {}
