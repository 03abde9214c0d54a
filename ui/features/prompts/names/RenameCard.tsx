import { useTranslation } from '#ui/i18n/i18n.ts'
import { isTakenAmong } from '#ui/lib/entries/new-names.ts'
import { stemLength } from '#wire/free-names.ts'
import { displayName } from '#wire/names.ts'
import { parentPath } from '#wire/paths.ts'
import type { CardProps } from '../parts/card.ts'
import { NameCard } from '../parts/NameCard.tsx'

/** Asks for the new name of an entry; the name without its extension is selected. */
export function RenameCard({ question, onAnswer, onCancel }: CardProps<'rename'>) {
  const { t } = useTranslation()
  const { entry, siblings } = question
  // The field shows the real name. Only bytes that are not valid text are shown in another form.
  const name = displayName(entry.name)
  return (
    <NameCard
      title={t('prompts.rename.title', { name })}
      action={t('prompts.rename.act')}
      folder={parentPath(entry.path)}
      initial={name}
      selected={entry.isDir ? name.length : stemLength(name)}
      isTaken={(name) => isTakenAmong(siblings, name)}
      onName={onAnswer}
      onCancel={onCancel}
    />
  )
}
