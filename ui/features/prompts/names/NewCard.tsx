import { useSnapshot } from 'valtio'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { isTakenAmong } from '#ui/lib/entries/new-names.ts'
import { foldsCaseIn, itemsOf, listing } from '#ui/state/folder/listing.ts'
import type { TreePath } from '#wire/paths.ts'
import type { CardProps } from '../parts/card.ts'
import { NameCard } from '../parts/NameCard.tsx'

/** Asks for the name of a new folder. */
export function NewFolderCard(props: CardProps<'newFolder'>) {
  return <NewCard kind="newFolder" {...props} />
}

/** Asks for the name of a new file. */
export function NewFileCard(props: CardProps<'newFile'>) {
  return <NewCard kind="newFile" {...props} />
}

interface NewCardProps {
  kind: 'newFolder' | 'newFile'
  question: { folder: TreePath }
  onAnswer(name: string): void
  onCancel(): void
}

function NewCard({ kind, question: { folder }, onAnswer, onCancel }: NewCardProps) {
  const { t } = useTranslation()
  const { path, entry } = useSnapshot(listing)
  const siblings = {
    names: path === folder ? itemsOf(entry).map((item) => item.name) : [],
    foldsCase: foldsCaseIn(entry),
  }
  return (
    <NameCard
      title={t(`prompts.${kind}.title`)}
      action={t(`prompts.${kind}.act`)}
      folder={folder}
      initial=""
      selected={0}
      isTaken={(name) => isTakenAmong(siblings, name)}
      onName={onAnswer}
      onCancel={onCancel}
    />
  )
}
