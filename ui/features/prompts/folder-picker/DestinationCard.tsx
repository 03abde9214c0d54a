import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { session } from '#ui/state/session/session.ts'
import { nameOf, parentPath } from '#wire/paths.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'
import { FolderPicker } from './FolderPicker.tsx'
import { useDestination } from './use-destination.ts'

/** Asks for the folder into which entries are moved. */
export function MoveCard(props: CardProps<'move'>) {
  return <DestinationCard verb="move" {...props} />
}

/** Asks for the folder into which entries are copied. */
export function CopyCard(props: CardProps<'copy'>) {
  return <DestinationCard verb="copy" {...props} />
}

type DestinationCardProps = (CardProps<'move'> | CardProps<'copy'>) & { verb: 'move' | 'copy' }

/**
 * Asks for the destination folder. A folder cannot be moved into itself. A move is refused if all entries are already
 * in the destination.
 */
function DestinationCard({ verb, question, onAnswer, onCancel }: DestinationCardProps) {
  const { t } = useTranslation()
  const { user } = useSnapshot(session)
  const { entries, from } = question
  const { destination, isDenied, picker } = useDestination(from)
  const count = entries.length
  const folder = nameOf(destination) || t('places.home')
  // Results of a search may be in several folders.
  const areAllThere =
    verb === 'move' && entries.every(({ path }) => parentPath(path) === destination)
  const isRefused = areAllThere || isDenied
  return (
    <ConfirmCard
      title={t(`prompts.${verb}.title`, { count, name: entries[0]?.name ?? '' })}
      hint={t(hintKey(), { count, folder })}
      wide
      action={t(`prompts.${verb}.act`)}
      disabled={isRefused}
      onConfirm={() => onAnswer(destination)}
      onCancel={onCancel}
    >
      <FolderPicker
        start={from}
        excluded={entries.filter((entry) => entry.isDir).map((entry) => entry.path)}
        canCreate={user?.perm.create ?? false}
        opensByClick={user?.singleClick ?? false}
        onConfirm={() => !isRefused && onAnswer(destination)}
        {...picker}
      />
    </ConfirmCard>
  )

  function hintKey() {
    if (isDenied) return 'prompts.folders.listOnly' as const
    return areAllThere ? 'prompts.move.alreadyThere' : (`prompts.${verb}.hint` as const)
  }
}
