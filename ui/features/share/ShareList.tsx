import { type ReactNode, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { Card } from '#ui/components/Card.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { ShareKey } from '#ui/lib/share-links.ts'
import { sortEntries } from '#ui/lib/sort.ts'
import type { Entry, Listing, Sorting } from '#wire/entry.ts'
import { ShareBar } from './ShareBar.tsx'
import { ShareHead } from './ShareHead.tsx'
import { ShareRow } from './ShareRow.tsx'
import './ShareList.css'

interface ShareListProps {
  share: ShareKey
  folder: Listing
  crumbs: ReactNode
  /** The paths chosen; undefined while nothing can be chosen. */
  chosen: ReadonlySet<string> | undefined
  onChoose(chosen: ReadonlySet<string> | undefined): void
  /** Below the bar: the one chosen thing, where there is no room beside the list. */
  preview?: ReactNode
}

/** What is in a shared folder, a hundred at a time (docs/specification.md 9). */
export function ShareList({ share, folder, crumbs, chosen, onChoose, preview }: ShareListProps) {
  const { t } = useTranslation()
  const [sorting, setSorting] = useState<Sorting>(folder.sorting)
  const [space, setSpace] = useState<number>(UI_LIMITS.sharePageItems)
  const items = sortEntries(folder.items, sorting)
  const rest = items.length - space

  function toggle({ path }: Entry): void {
    const next = new Set(chosen)
    if (!next.delete(path)) next.add(path)
    onChoose(next)
  }

  return (
    <Card className="ShareList">
      <div className="ShareList__top">
        <ShareBar
          share={share}
          folder={folder}
          crumbs={crumbs}
          chosen={chosen}
          onChoose={onChoose}
        />
        {preview}
      </div>
      {items.length === 0 ? (
        <p className="ShareList__empty">{t('share.empty')}</p>
      ) : (
        <table className="ShareList__table" aria-label={t('share.list')}>
          <ShareHead sorting={sorting} onSort={setSorting} />
          <tbody>
            {items.slice(0, space).map((entry) => (
              <ShareRow
                key={entry.path}
                share={share}
                entry={entry}
                isChosen={chosen?.has(entry.path)}
                onToggle={toggle}
              />
            ))}
          </tbody>
        </table>
      )}
      {rest > 0 && (
        <div className="ShareList__more">
          <Button tone="quiet" wide onClick={() => setSpace(space + UI_LIMITS.sharePageItems)}>
            {t('share.rest', { value: formatNumber(rest) })}
          </Button>
        </div>
      )}
    </Card>
  )
}
