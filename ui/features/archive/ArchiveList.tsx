import { type MouseEvent, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { Notice } from '#ui/components/feedback/Notice.tsx'
import { EntryTable } from '#ui/components/file/EntryTable.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { sortEntries } from '#ui/lib/entries/sort.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { ArchiveSource } from '#ui/state/file/archive-source.ts'
import type { ArchiveFolder } from '#wire/api/archive-contents.ts'
import type { Sorting } from '#wire/api/entry.ts'
import type { RequestPath } from '#wire/paths.ts'
import { ArchiveRow } from './ArchiveRow.tsx'
import './ArchiveList.css'

interface ArchiveListProps {
  source: ArchiveSource
  folder: ArchiveFolder
  onGo(event: MouseEvent, target: RequestPath): void
}

/** A folder in an archive, shown in pages of `archivePageItems`. */
export function ArchiveList({ source, folder, onGo }: ArchiveListProps) {
  const { t } = useTranslation()
  const [sorting, setSorting] = useState<Sorting>({ by: 'name', asc: true })
  const [shownCount, setShownCount] = useState<number>(ON_DEMAND_LIMITS.archivePageItems)
  const items = sortEntries(folder.items, sorting)
  const hiddenCount = items.length - shownCount
  return (
    <div className="ArchiveList">
      {(folder.isPartial || folder.leftOut > 0) && (
        <div className="ArchiveList__notices">
          {folder.isPartial && <Notice>{t('archive.partial')}</Notice>}
          {folder.leftOut > 0 && <Notice>{t('archive.leftOut')}</Notice>}
        </div>
      )}
      {items.length === 0 ? (
        <p className="ArchiveList__empty">{t('share.empty')}</p>
      ) : (
        <EntryTable
          label={t('archive.list')}
          sorting={sorting}
          onSort={setSorting}
          hasStickyHead
          className="ArchiveList__table"
        >
          {items.slice(0, shownCount).map((item) => (
            <ArchiveRow key={item.path} source={source} item={item} onGo={onGo} />
          ))}
        </EntryTable>
      )}
      {hiddenCount > 0 && (
        <div className="ArchiveList__more">
          <Button
            tone="quiet"
            wide
            onClick={() => setShownCount(shownCount + ON_DEMAND_LIMITS.archivePageItems)}
          >
            {t('share.rest', { value: formatNumber(hiddenCount) })}
          </Button>
        </div>
      )}
    </div>
  )
}
