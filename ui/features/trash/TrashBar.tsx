import { Button } from '#ui/components/controls/Button.tsx'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { formatNumber, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { clearSelection, selectAll } from '#ui/state/folder/selection.ts'
import type { TrashActions } from './actions.ts'
import type { TrashRow } from './rows.ts'
import './TrashBar.css'

interface TrashBarProps extends TrashActions {
  filter: string
  onFilter(text: string): void
  /** The rows that match the filter. */
  rows: readonly TrashRow[]
  /** The number of all items; undefined while they are loading. */
  total: number | undefined
  selected: readonly TrashRow[]
}

/** The filter of the trash, and during a selection what can be done with it. */
export function TrashBar({ filter, onFilter, rows, total, selected, ...actions }: TrashBarProps) {
  const { t } = useTranslation()
  return (
    <div className="TrashBar">
      <search className="TrashBar__filter">
        <Icon name="list-filter" />
        <input
          type="text"
          value={filter}
          aria-label={t('listing.filter.label')}
          placeholder={t('listing.filter.label')}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="done"
          onChange={(event) => onFilter(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onFilter('')
          }}
        />
        <span className="TrashBar__found" role="status">
          {filter !== '' &&
            total !== undefined &&
            t('listing.filter.found', {
              found: formatNumber(rows.length),
              total: formatNumber(total),
            })}
        </span>
      </search>
      {selected.length === 0 ? (
        <Button tone="quiet" onClick={() => selectAll(rows)}>
          {t('actions.selectAll')}
        </Button>
      ) : (
        <Chosen selected={selected} {...actions} />
      )}
    </div>
  )
}

interface ChosenProps extends TrashActions {
  selected: readonly TrashRow[]
}

function Chosen({ selected, onRestore, purgeOf }: ChosenProps) {
  const { t } = useTranslation()
  const bytes = selected.reduce((sum, { size }) => sum + Math.max(0, size), 0)
  const purge = purgeOf(selected)
  return (
    <div className="TrashBar__chosen" role="toolbar" aria-label={t('places.selection')}>
      <span className="TrashBar__count" aria-live="polite">
        <strong>
          {t('listing.selected', { count: selected.length, value: formatNumber(selected.length) })}
        </strong>
        {bytes > 0 && (
          <>
            {' · '}
            <bdi>{formatSize(bytes)}</bdi>
          </>
        )}
      </span>
      {onRestore && (
        <Button icon="undo-2" onClick={() => onRestore(selected)}>
          {t('settings.trash.restore')}
        </Button>
      )}
      {purge && (
        <Button icon="trash-2" onClick={purge}>
          {t('prompts.purge.act')}
        </Button>
      )}
      <IconButton icon="x" label={t('actions.clearSelection')} onClick={clearSelection} />
    </div>
  )
}
