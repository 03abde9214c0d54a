import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/Dialog.tsx'
import { Name } from '#ui/components/Name.tsx'
import { formatNumber, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Deletion } from '#ui/lib/deletion.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { Entry } from '#wire/entry.ts'
import type { CardProps } from './card.ts'
import { EntryPicture } from './EntryPicture.tsx'
import { useDeletion } from './use-deletion.ts'
import './DeleteCard.css'

/** Asks whether entries should be deleted, and lists some of their names. */
export function DeleteCard({ question, onAnswer, onCancel }: CardProps<'delete'>) {
  const { t } = useTranslation()
  const { entries } = question
  const count = entries.length
  const deletion = useDeletion(entries.map(({ path }) => path))
  const most = ON_DEMAND_LIMITS.deletedNamesListedMax
  const listed = entries.slice(0, count > most ? most - 1 : most)
  const hidden = count - listed.length
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
      <ul className="DeleteCard">
        {listed.map((entry) => (
          <DeleteRow key={entry.path} entry={entry} />
        ))}
        {hidden > 0 && (
          <li className="DeleteCard__row" data-more>
            {t('prompts.more', { count: hidden, value: formatNumber(hidden) })}
          </li>
        )}
      </ul>
    </Dialog>
  )
}

/** What happens to the entries: trash or permanent deletion, as far as it is known. */
function hintOf(
  entries: readonly Entry[],
  deletion: Deletion,
): 'kept' | 'partly' | 'hint' | 'hintFolder' {
  if (deletion !== 'permanent') return deletion
  return entries.some((entry) => entry.isDir) ? 'hintFolder' : 'hint'
}

function DeleteRow({ entry }: { entry: Entry }) {
  return (
    <li className="DeleteCard__row">
      <EntryPicture entry={entry} path={entry.path} />
      <Name>{entry.name}</Name>
      {!entry.isDir && <bdi className="DeleteCard__size">{formatSize(entry.size)}</bdi>}
    </li>
  )
}
