import { useSnapshot } from 'valtio'
import { Spinner } from '#ui/components/feedback/Spinner.tsx'
import { Kbd } from '#ui/components/icons/Kbd.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { finder } from '#ui/state/finder/finder.ts'
import './FinderFooter.css'

/** The keys of the finder, and the number of results. */
export function FinderFooter() {
  const { t } = useTranslation()
  const { status, found, texts, isReading, isFindingMore } = useSnapshot(finder)
  const count = found.total + texts.hits.length
  const isSilent = found.isSilent || texts.isSilent
  const isPartial = !isSilent && (found.isPartial || texts.isPartial)
  const isRunning = status === 'running'
  const isWorking = isRunning || (status === 'done' && (isReading || isFindingMore))
  // The hits among the names stay if the contents could not be searched. Nothing was found only when the search has ended.
  const hasResults =
    (status === 'done' && (count > 0 || !isReading)) || (status === 'failed' && count > 0)
  return (
    <footer className="FinderFooter">
      <span className="FinderFooter__keys">
        <Kbd keys="ArrowUp" />
        <Kbd keys="ArrowDown" />
        {t('finder.keys.choose')}
      </span>
      <span className="FinderFooter__keys">
        <Kbd keys="Enter" />
        {t('finder.keys.open')}
      </span>
      <span className="FinderFooter__keys">
        <Kbd keys="Space" />
        {t('actions.quickLook')}
      </span>
      <span className="FinderFooter__keys">
        <Kbd keys="Escape" />
        {t('finder.keys.close')}
      </span>
      <span className="FinderFooter__state">
        {isWorking && <Spinner label={t('finder.running')} />}
        {isWorking && !hasResults && <span aria-hidden>{t('finder.running')}…</span>}
        <span role="status" aria-live={isRunning ? 'off' : 'polite'}>
          {hasResults &&
            t(isPartial ? 'finder.partly' : 'finder.found', { count, value: formatNumber(count) })}
          {hasResults && isSilent && ` ${t('finder.silent')}`}
        </span>
      </span>
    </footer>
  )
}
