import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { closeFilter, listing, setFilter } from '#ui/state/folder/listing.ts'
import { moveCursor } from '#ui/state/folder/selection.ts'
import type { Entry } from '#wire/api/entry.ts'
import './FilterBar.css'

interface FilterBarProps {
  text: string
  matches: readonly Entry[]
  /** How many entries the folder has; undefined while only its first names are loaded. */
  total: number | undefined
}

/** The text field of the filter: only entries whose names contain each of its words are shown. */
export function FilterBar({ text, matches, total }: FilterBarProps) {
  const { t } = useTranslation()
  const { filterRequests } = useSnapshot(listing)
  const input = useRef<HTMLInputElement>(null)

  // Opening the filter again selects the text.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each request to open the filter
  useEffect(() => input.current?.select(), [filterRequests])

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') closeFilter()
    else if (event.key === 'ArrowDown' || event.key === 'Enter') focusGrid(event.currentTarget)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  /** Moves the focus to the results, and the cursor to the first one. */
  function focusGrid(bar: HTMLElement): void {
    bar.parentElement?.querySelector<HTMLElement>('.Grid')?.focus()
    moveCursor(matches[0])
  }

  return (
    <search className="FilterBar" onKeyDown={onKeyDown}>
      <Icon name="list-filter" />
      <input
        ref={input}
        className="FilterBar__text"
        type="text"
        value={text}
        aria-label={t('listing.filter.label')}
        placeholder={t('listing.filter.label')}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="done"
        onChange={(event) => setFilter(event.target.value)}
      />
      <span className="FilterBar__count" role="status">
        {total !== undefined &&
          t('listing.filter.found', {
            found: formatNumber(matches.length),
            total: formatNumber(total),
          })}
      </span>
      <IconButton icon="x" size="s" label={t('listing.filter.close')} onClick={closeFilter} />
    </search>
  )
}
