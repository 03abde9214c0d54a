import { useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/controls/Button.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { Anchor } from '#ui/lib/gestures/menu-position.ts'
import {
  finder,
  findMore,
  hasMoreHits,
  isTooShortForTexts,
  repeatSearch,
  setFinderOnlyHere,
} from '#ui/state/finder/finder.ts'
import { operatorNames } from '#ui/state/finder/query.ts'
import { FIND_TEXT_LETTERS_MIN } from '#wire/api/find.ts'
import { nameOf } from '#wire/paths.ts'
import { CommandRow } from './CommandRow.tsx'
import { HitRow } from './HitRow.tsx'
import type { RowGroup } from './rows.ts'
import './Finder.css'

interface FinderListProps {
  /** The id of the list; its rows append their number. */
  id: string
  groups: readonly RowGroup[]
  /** The active row. */
  activeRow: number
  /** The ids of the selected results. */
  selected: ReadonlySet<string>
  /** Selects the result of a row, or removes it from the selection. */
  onSelect(row: number): void
  /** Opens the menu of a row. */
  onMenu(row: number, anchor: Anchor): void
}

/** All results in groups; or a message why there are none. */
export function FinderList({ id, groups, activeRow, selected, onSelect, onMenu }: FinderListProps) {
  const { t } = useTranslation()
  const { text, found } = useSnapshot(finder)
  const hasHits = found.hits.length > 0
  let row = -1

  useEffect(() => {
    if (activeRow >= 0)
      document.getElementById(`${id}${activeRow}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, activeRow])

  return (
    <div className="Finder__scroll">
      {!hasHits && <Message isEmpty={groups.length === 0} />}
      {groups.length > 0 && (
        <div
          id={id}
          className="Finder__rows"
          role="listbox"
          aria-label={t('finder.label')}
          aria-multiselectable={selected.size > 0 || undefined}
        >
          {groups.map(({ name, rows }) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox has groups, and a fieldset is for forms
            <div key={name} role="group" aria-label={t(`finder.groups.${name}`)}>
              <div className="Finder__title" aria-hidden="true">
                {t(`finder.groups.${name}`)}
              </div>
              {rows.map((item) => {
                row += 1
                const index = row
                const common = {
                  id: `${id}${row}`,
                  isActive: row === activeRow,
                  isSelecting: selected.size > 0,
                }
                return 'hit' in item ? (
                  <HitRow
                    key={item.id}
                    {...common}
                    hit={item.hit}
                    excerpt={item.excerpt}
                    text={text}
                    isSelected={selected.has(item.id)}
                    onSelect={() => onSelect(index)}
                    onMenu={(anchor) => onMenu(index, anchor)}
                  />
                ) : (
                  <CommandRow key={item.id} {...common} command={item.command} onRun={item.run} />
                )
              })}
              {name === 'files' && <MoreHits isCut={rows.at(-1)?.id === 'all'} />}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

/** The end of the files and folders: more of them are asked for when it comes near the visible part of the list. */
function MoreHits({ isCut }: { isCut: boolean }) {
  const { found, status } = useSnapshot(finder)
  const end = useRef<HTMLDivElement>(null)
  const isNeeded = !isCut && status !== 'running' && hasMoreHits()
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page, the end may still be near
  useEffect(() => {
    if (!isNeeded || !end.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void findMore()
      },
      { root: end.current.closest('.Finder__scroll'), rootMargin: '50% 0px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [isNeeded, found])
  return <div ref={end} aria-hidden="true" />
}

/** Why the contents of files could not be searched. It is below the hits, which do not move under the pointer. */
export function FailedTexts() {
  const { t } = useTranslation()
  const { status, fault, found } = useSnapshot(finder)
  if (status !== 'failed' || found.hits.length === 0) return null
  return (
    <div className="Finder__failure" role="alert">
      <p>
        <span className="Finder__failureTitle">{t('finder.groups.texts')}</span> {faultText(fault)}
      </p>
      <Button onClick={repeatSearch}>{t('common.tryAgain')}</Button>
    </div>
  )
}

/** The message in place of rows, and before anything is typed. */
function Message({ isEmpty }: { isEmpty: boolean }) {
  const { t } = useTranslation()
  const { status, fault, folder, searchesOnlyHere, text, found, texts, isReading } =
    useSnapshot(finder)
  if (status === 'failed') {
    return (
      <div className="Finder__message" role="alert">
        <p>{faultText(fault)}</p>
        <Button onClick={repeatSearch}>{t('common.tryAgain')}</Button>
      </div>
    )
  }
  if (status === 'idle')
    return <p className="Finder__message">{t('finder.hint', operatorNames())}</p>
  if (status !== 'done' || isReading || found.hits.length + texts.hits.length > 0) return null
  const isSilent = found.isSilent || texts.isSilent
  const short = isTooShortForTexts(text) && t('finder.short', { count: FIND_TEXT_LETTERS_MIN })
  if (!searchesOnlyHere) {
    return (
      isEmpty && (
        <p className="Finder__message">
          {isSilent ? t('finder.silent') : t('finder.none')} {short}
        </p>
      )
    )
  }
  return (
    <div className="Finder__message">
      <p>
        {isSilent ? t('finder.silent') : t('finder.noneBelow', { folder: nameOf(folder) })} {short}
      </p>
      <Button onClick={() => setFinderOnlyHere(false)}>{t('finder.widenNow')}</Button>
    </div>
  )
}
