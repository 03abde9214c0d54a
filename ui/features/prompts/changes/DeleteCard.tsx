import { Name } from '#ui/components/icons/Name.tsx'
import { formatColumnSize, formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { listedOf } from '#ui/lib/entries/listed-of.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { Entry } from '#wire/api/entry.ts'
import { ConfirmCard } from '../parts/ConfirmCard.tsx'
import type { CardProps } from '../parts/card.ts'
import { EntryPicture } from '../parts/EntryPicture.tsx'
import './DeleteCard.css'

/**
 * Asks whether entries that the trash does not keep should be deleted permanently, and lists some of their names. The
 * focus is on Cancel: Enter deletes nothing.
 */
export function DeleteCard({ question, onAnswer, onCancel }: CardProps<'delete'>) {
  const { t } = useTranslation()
  const { entries } = question
  const count = entries.length
  // Of a link to a folder, only the link is deleted.
  const hasFolder = entries.some(({ isDir, isSymlink }) => isDir && !isSymlink)
  const { listed, hidden } = listedOf(entries, ON_DEMAND_LIMITS.deletedNamesListedMax)
  return (
    <ConfirmCard
      title={t('prompts.delete.title', { count, name: entries[0]?.name ?? '' })}
      hint={t(`prompts.delete.${hasFolder ? 'hintFolder' : 'hint'}`, { count })}
      action={t('prompts.purge.act')}
      tone="danger"
      onConfirm={() => onAnswer(true)}
      onCancel={onCancel}
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
    </ConfirmCard>
  )
}

function DeleteRow({ entry }: { entry: Entry }) {
  return (
    <li className="DeleteCard__row">
      <EntryPicture entry={entry} path={entry.path} />
      <Name>{entry.name}</Name>
      {!entry.isDir && (
        <span className="DeleteCard__size">
          <bdi>{formatColumnSize(entry.size)}</bdi>
        </span>
      )}
    </li>
  )
}
