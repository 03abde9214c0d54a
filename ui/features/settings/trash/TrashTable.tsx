import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { formatColumnSize, formatMoment } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownPath } from '#ui/lib/entries/shown-name.ts'
import type { KeptItem } from '#wire/api/journal.ts'
import './TrashTable.css'

interface TrashTableProps {
  items: readonly KeptItem[]
  mayRestore: boolean
  mayPurge(item: KeptItem): boolean
  onRestore(item: KeptItem): void
  onPurge(item: KeptItem): void
}

/** Deleted entries: original path, time, user, and actions. */
export function TrashTable({ items, ...row }: TrashTableProps) {
  const { t } = useTranslation()
  return (
    <ul className="TrashTable" aria-label={t('settings.trash.title')}>
      {items.map((item) => (
        <TrashRow key={item.id} item={item} {...row} />
      ))}
    </ul>
  )
}

interface RowProps extends Omit<TrashTableProps, 'items'> {
  item: KeptItem
}

function TrashRow({ item, mayRestore, mayPurge, onRestore, onPurge }: RowProps) {
  const { t } = useTranslation()
  const { path, time, username, size, isDir } = item
  const when = formatMoment(new Date(time))
  return (
    <li className="TrashTable__row">
      <Icon name={isDir ? 'folder' : 'file-text'} />
      <div className="TrashTable__text">
        <bdi className="TrashTable__path" title={shownPath(path)}>
          {shownPath(path)}
        </bdi>
        <span className="TrashTable__facts">
          {t('settings.trash.facts', { when, name: username })}
          {size >= 0 && ` · ${formatColumnSize(size)}`}
        </span>
      </div>
      {mayRestore && (
        <IconButton
          icon="undo-2"
          mirror
          size="s"
          label={t('settings.trash.restoreOf', { path })}
          onClick={() => onRestore(item)}
        />
      )}
      {mayPurge(item) && (
        <IconButton
          icon="trash-2"
          size="s"
          label={t('settings.trash.purgeOf', { path })}
          onClick={() => onPurge(item)}
        />
      )}
    </li>
  )
}
