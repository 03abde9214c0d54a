import { Button } from '#ui/components/controls/Button.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { Dialog } from '#ui/components/overlays/Dialog.tsx'
import { formatNumber, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type Deletion, listedOf } from '#ui/lib/entries/deletion.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { CardProps } from '../parts/card.ts'
import { EntryPicture } from '../parts/EntryPicture.tsx'
import { useDeletion } from '../parts/use-deletion.ts'
import './DeleteCard.css'

/**
 * Asks whether entries should be deleted, and lists some of their names. If only some go to the trash, each kind has a
 * list.
 */
export function DeleteCard({ question, onAnswer, onCancel }: CardProps<'delete'>) {
  const { t } = useTranslation()
  const { entries } = question
  const count = entries.length
  const { deletion, isPermanent } = useDeletion(entries.map(({ path }) => path))
  return (
    <Dialog
      title={t('prompts.delete.title', { count, name: entries[0]?.name ?? '' })}
      hint={t(`prompts.delete.${hintOf(entries, deletion)}`, { count })}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>{t('common.cancel')}</Button>
          <Button tone="danger" onClick={() => onAnswer(true)}>
            {t('prompts.delete.act', { count })}
          </Button>
        </>
      }
    >
      {deletion === 'partly' ? (
        <div className="DeleteCard">
          <DeleteList
            caption={t('prompts.delete.permanent')}
            entries={entries.filter(({ path }) => isPermanent(path))}
            isPermanent
          />
          <DeleteList
            caption={t('prompts.delete.trashed')}
            entries={entries.filter(({ path }) => !isPermanent(path))}
          />
        </div>
      ) : (
        <DeleteList entries={entries} />
      )}
    </Dialog>
  )
}

/** What happens to the entries: trash or permanent deletion, as far as it is known. */
function hintOf(
  entries: readonly Entry[],
  deletion: Deletion,
): 'kept' | 'partly' | 'hint' | 'hintFolder' {
  if (deletion !== 'permanent') return deletion
  // Of a link to a folder, only the link is deleted.
  return entries.some(({ isDir, isSymlink }) => isDir && !isSymlink) ? 'hintFolder' : 'hint'
}

interface DeleteListProps {
  caption?: string
  entries: readonly Entry[]
  isPermanent?: boolean
}

/** The first entries by name, and the number of the others. */
function DeleteList({ caption, entries, isPermanent }: DeleteListProps) {
  const { t } = useTranslation()
  const { listed, hidden } = listedOf(entries, ON_DEMAND_LIMITS.deletedNamesListedMax)
  return (
    <div>
      {caption !== undefined && (
        <p className="DeleteCard__caption" data-permanent={isPermanent}>
          {caption}
        </p>
      )}
      <ul className="DeleteCard__list" aria-label={caption}>
        {listed.map((entry) => (
          <DeleteRow key={entry.path} entry={entry} />
        ))}
        {hidden > 0 && (
          <li className="DeleteCard__row" data-more>
            {t('prompts.more', { count: hidden, value: formatNumber(hidden) })}
          </li>
        )}
      </ul>
    </div>
  )
}

function DeleteRow({ entry }: { entry: Entry }) {
  return (
    <li className="DeleteCard__row">
      <EntryPicture entry={entry} path={entry.path} />
      <Name>{entry.name}</Name>
      {!entry.isDir && (
        <span className="DeleteCard__size">
          <bdi>{formatSize(entry.size)}</bdi>
        </span>
      )}
    </li>
  )
}
