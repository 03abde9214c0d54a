import { useEffect, useEffectEvent, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '#ui/components/Button.tsx'
import { faultText } from '#ui/i18n/faults.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { runSearch, search, widenSearch } from '#ui/state/search.ts'
import { nameOf, ROOT } from '#wire/paths.ts'
import type { SearchHit } from '#wire/search.ts'
import { SearchRow } from './SearchRow.tsx'
import './SearchResults.css'

interface SearchResultsProps {
  /** Of the list; its rows add their number. */
  id: string
  hits: readonly SearchHit[]
  /** The row the person is at. */
  at: number
  /** The end of the rows is near. */
  onMore(): void
}

/** What was found, as a list that grows towards its end; or why there is nothing. */
export function SearchResults({ id, hits, at, onMore }: SearchResultsProps) {
  const { t } = useTranslation()
  const isLast = at >= 0 && at === hits.length - 1
  const near = useEffectEvent(onMore)

  useEffect(() => {
    if (at >= 0) document.getElementById(`${id}${at}`)?.scrollIntoView({ block: 'nearest' })
    if (isLast) near()
  }, [id, at, isLast])

  return (
    <div className="SearchResults">
      <NoResults />
      {hits.length > 0 && (
        <>
          <div
            id={id}
            className="SearchResults__rows"
            role="listbox"
            aria-label={t('search.results')}
          >
            {hits.map((hit, row) => (
              <SearchRow
                key={`${hit.path} ${hit.dir}`}
                id={`${id}${row}`}
                hit={hit}
                active={row === at}
              />
            ))}
          </div>
          <End key={hits.length} onNear={onMore} />
        </>
      )}
    </div>
  )
}

/** Below the rows: says when it comes near. */
function End({ onNear }: { onNear(): void }) {
  const end = useRef<HTMLDivElement>(null)
  const near = useEffectEvent(onNear)
  useEffect(() => {
    if (!end.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) near()
      },
      { root: end.current.parentElement, rootMargin: '25%' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [])
  return <div ref={end} />
}

/** What to say where rows would be. */
function NoResults() {
  const { t } = useTranslation()
  const { status, count, fault, folder, everywhere, query } = useSnapshot(search)
  if (status === 'failed') {
    return (
      <div className="SearchResults__words" role="alert">
        <p>{count > 0 ? t('search.broken') : faultText(fault)}</p>
        <Button onClick={() => runSearch(query)}>{t('common.tryAgain')}</Button>
      </div>
    )
  }
  if (count > 0 || status === 'running') return null
  if (status === 'idle') return <p className="SearchResults__words">{t('search.hint')}</p>
  const folderName = everywhere || folder === ROOT ? undefined : nameOf(folder)
  return (
    <div className="SearchResults__words">
      <p>
        {folderName === undefined
          ? t('search.none')
          : t('search.noneBelow', { folder: folderName })}
      </p>
      {folderName !== undefined && (
        <Button onClick={() => widenSearch(true)}>{t('search.widenNow')}</Button>
      )}
    </div>
  )
}
