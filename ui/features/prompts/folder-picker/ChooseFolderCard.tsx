import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownPath } from '#ui/lib/entries/shown-name.ts'
import { session } from '#ui/state/session/session.ts'
import { ROOT } from '#wire/paths.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'
import { FolderPicker } from './FolderPicker.tsx'

/** Asks for a folder that a setting names. */
export function ChooseFolderCard({ question, onAnswer, onCancel }: CardProps<'chooseFolder'>) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const [folder, setFolder] = useState(question.start)
  return (
    <ConfirmCard
      title={t('prompts.folders.choose')}
      hint={folder === ROOT ? t('places.home') : shownPath(folder)}
      wide
      action={t('prompts.folders.act')}
      onConfirm={() => onAnswer(folder)}
      onCancel={onCancel}
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
    </ConfirmCard>
  )
}

/** A folder is chosen, and nothing is put into it: it may be one that only can be listed. */
function ignore(): void {}
