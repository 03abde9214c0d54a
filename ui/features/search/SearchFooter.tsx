import { Button } from '#ui/components/Button.tsx'
import { Kbd } from '#ui/components/Kbd.tsx'
import { Spinner } from '#ui/components/Spinner.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type search, stopSearch } from '#ui/state/search.ts'
import './SearchFooter.css'

interface SearchFooterProps {
  status: (typeof search)['status']
  /** Rows on the page. */
  shown: number
  /** All that was found so far. */
  count: number
}

/** The keys, and how the search goes: how much was found, and a way to stop it. */
export function SearchFooter({ status, shown, count }: SearchFooterProps) {
  const { t } = useTranslation()
  const isRunning = status === 'running'
  return (
    <footer className="SearchFooter" data-busy={isRunning || undefined}>
      <span className="SearchFooter__keys">
        <Kbd keys="ArrowUp" />
        <Kbd keys="ArrowDown" />
        {t('search.keys.choose')}
      </span>
      <span className="SearchFooter__keys">
        <Kbd keys="Enter" />
        {t('search.keys.open')}
      </span>
      <span className="SearchFooter__keys">
        <Kbd keys="Escape" />
        {t('search.keys.close')}
      </span>
      <span className="SearchFooter__state">
        {isRunning && <Spinner label={t('search.running')} />}
        {/* A number that grows all the time would never let a screen reader finish. */}
        <span role="status" aria-live={isRunning ? 'off' : 'polite'}>
          {summary()}
        </span>
        {isRunning && <Button onClick={stopSearch}>{t('search.stop')}</Button>}
      </span>
    </footer>
  )

  function summary(): string {
    if (status === 'idle') return ''
    const found = t('search.found', { count, value: formatNumber(count) })
    if (status === 'stopped') return t('search.stopped', { found })
    if (isRunning || status === 'failed' || shown === count) return found
    return t('search.firstOf', { shown: formatNumber(shown), total: formatNumber(count) })
  }
}
