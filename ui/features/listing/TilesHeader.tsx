// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be windowed, a grid of boxes can
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid holds the focus and points at cells
import { pressables } from '#ui/actions/arrangement.ts'
import { Segmented } from '#ui/components/Segmented.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import type { Sorting } from '#wire/entry.ts'
import { FilterButton } from './FilterButton.tsx'
import { SortMenu } from './SortMenu.tsx'
import './TilesHeader.css'

/** The order of items without columns; in narrow windows the choice of views too. */
export function TilesHeader({ sorting }: { sorting: Sorting }) {
  const { t } = useTranslation()
  const now = useActionContext()
  return (
    <div className="TilesHeader" role="row" aria-rowindex={1} data-header>
      <div className="TilesHeader__order" role="columnheader">
        <SortMenu sorting={sorting} />
      </div>
      <div className="TilesHeader__filter" role="columnheader">
        <FilterButton />
      </div>
      <div className="narrow-only" role="columnheader">
        <Segmented label={t('places.views')} options={pressables('views', now)} />
      </div>
    </div>
  )
}
