import type { ComponentProps, ReactNode } from 'react'
import { formatColumnSize, formatDate, formatExactSize, formatFullDate } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { classNames } from '#ui/lib/class-names.ts'
import { sortColumns } from '#ui/lib/entries/sort.ts'
import type { Entry, Sorting, SortKey } from '#wire/api/entry.ts'
import { SortButton } from '../controls/SortButton.tsx'
import { Name } from '../icons/Name.tsx'
import { EntryIcon } from './EntryIcon.tsx'
import { EntryLabel } from './EntryLabel.tsx'
import './EntryTable.css'

interface EntryTableProps extends ComponentProps<'table'> {
  label: string
  sorting: Sorting
  onSort(sorting: Sorting): void
  /** Names of columns that replace the usual ones. */
  titles?: Partial<Record<SortKey, string>>
  /** Titles of more columns, between the date and the actions. */
  extraColumns?: ReactNode
  /** Whether the titles stay visible while the rows scroll. */
  hasStickyHead?: boolean
  /** The rows. */
  children: ReactNode
}

/** A table of files and folders. A click on a column sorts by it, a second click reverses the order. */
export function EntryTable(props: EntryTableProps) {
  const { label, sorting, onSort, titles, extraColumns, hasStickyHead, children, ...native } = props
  return (
    <table
      {...native}
      className={classNames('EntryTable', native.className)}
      data-sticky-head={hasStickyHead || undefined}
      aria-label={label}
    >
      <thead>
        <tr>
          {sortColumns(sorting).map(({ by, order, onceClicked }) => (
            <th
              key={by}
              scope="col"
              className="EntryTable__column"
              data-column={by}
              aria-sort={order}
            >
              <SortButton
                by={by}
                sorting={sorting}
                label={titles?.[by]}
                onClick={() => onSort(onceClicked)}
              />
            </th>
          ))}
          {extraColumns}
          <td className="EntryTable__column" data-column="actions" />
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

/** What a row shows of a file or folder. `modified` is empty if it is unknown. */
type ShownEntry = Pick<Entry, 'name' | 'size' | 'modified' | 'isDir'>

interface EntryTableRowProps {
  entry: ShownEntry
  /** Undefined outside of the selection mode. */
  isSelected?: boolean | undefined
  /** The buttons at the end of the row. */
  action: ReactNode
  /** The link or checkbox with an `EntryTarget` in it. */
  children: ReactNode
}

/** A row with the size and the date of a file or folder. */
export function EntryTableRow({ entry, isSelected, action, children }: EntryTableRowProps) {
  const { t } = useTranslation()
  const { size, modified, isDir } = entry
  return (
    <tr className="EntryTable__row" data-selected={isSelected || undefined}>
      <td>{children}</td>
      <td className="EntryTable__fact" data-column="size">
        {isDir ? (
          t('listing.noSize')
        ) : (
          <bdi title={formatExactSize(size)}>{formatColumnSize(size)}</bdi>
        )}
      </td>
      <td
        className="EntryTable__fact"
        data-column="modified"
        title={modified ? formatFullDate(modified) : undefined}
      >
        {modified ? formatDate(modified) : t('listing.noSize')}
      </td>
      <td className="EntryTable__action">{action}</td>
    </tr>
  )
}

/** The class of the element that opens or selects a row. */
export const ENTRY_TARGET = 'EntryTable__target'

/** What is in that element: the icon, the name, and in narrow windows size and date below it. */
export function EntryTarget({ entry, icon }: { entry: ShownEntry; icon: ReactNode }) {
  const { name, size, modified, isDir } = entry
  const facts = (
    <>
      {!isDir && <bdi>{formatColumnSize(size)}</bdi>}
      {!isDir && modified !== '' && ' · '}
      {modified && formatDate(modified)}
    </>
  )
  return (
    <>
      <EntryIcon>{icon}</EntryIcon>
      <EntryLabel sub={facts}>
        <Name>{name}</Name>
      </EntryLabel>
    </>
  )
}
