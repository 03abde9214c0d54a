import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { session } from '#ui/state/session/session.ts'
import { nameOf, ROOT } from '#wire/paths.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'
import { FolderPicker } from './FolderPicker.tsx'
import { useDestination } from './use-destination.ts'

/** Asks for the destination of files that another app has shared. */
export function ReceiveCard({ question: { names }, onAnswer, onCancel }: CardProps<'receive'>) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { destination, isDenied, picker } = useDestination(ROOT)
  const folder = nameOf(destination) || t('places.home')
  return (
    <ConfirmCard
      title={t('prompts.receive.title', { count: names.length, name: names[0] ?? '' })}
      hint={t(isDenied ? 'prompts.folders.listOnly' : 'prompts.receive.hint', { folder })}
      wide
      action={t('actions.upload')}
      disabled={isDenied}
      onConfirm={() => onAnswer(destination)}
      onCancel={onCancel}
    >
      <FolderPicker
        start={ROOT}
        excluded={[]}
        canCreate={user?.perm.create ?? false}
        opensByClick={user?.singleClick ?? false}
        onConfirm={() => !isDenied && onAnswer(destination)}
        {...picker}
      />
    </ConfirmCard>
  )
}
