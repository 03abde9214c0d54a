import type { ComponentProps } from 'react'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Sorting, SortKey } from '#wire/api/entry.ts'
import { Icon } from '../icons/Icon.tsx'
import './SortButton.css'

interface SortButtonProps extends ComponentProps<'button'> {
  by: SortKey
  sorting: Sorting
  /** Replaces the name of the column. */
  label?: string | undefined
}

/** A column header; an arrow shows the sort column and its direction. */
export function SortButton({ by, sorting, label, ...native }: SortButtonProps) {
  const { t } = useTranslation()
  const active = sorting.by === by
  return (
    <button type="button" {...native} className="SortButton" data-active={active || undefined}>
      {label ?? t(`listing.${by}`)}
      {active && <Icon name={sorting.asc ? 'arrow-up' : 'arrow-down'} />}
    </button>
  )
}
