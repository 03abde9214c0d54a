import { type ReactNode, useState } from 'react'
import { Button } from '#ui/components/controls/Button.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import './SpaceList.css'

interface SpaceListProps {
  title: string
  /** The rows, each a list item. */
  rows: readonly ReactNode[]
}

/** A list of the page, of which the first rows are shown. */
export function SpaceList({ title, rows }: SpaceListProps) {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  const shownMax = isWhole ? rows.length : ON_DEMAND_LIMITS.spaceRows
  return (
    <section className="SpaceList" aria-label={title}>
      <h3 className="SpaceList__title">{title}</h3>
      <ul>{rows.slice(0, shownMax)}</ul>
      {rows.length > shownMax && (
        <Button tone="quiet" onClick={() => setWhole(true)}>
          {t('activity.more')}
        </Button>
      )}
    </section>
  )
}
