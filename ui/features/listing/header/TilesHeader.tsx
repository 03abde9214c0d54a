// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualized
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and `aria-activedescendant`
import { Suspense } from 'react'
import { toggleButtons } from '#ui/actions/surfaces.ts'
import { Segmented } from '#ui/components/controls/Segmented.tsx'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import type { Entry, Sorting } from '#wire/api/entry.ts'
import { FilterButton } from './FilterButton.tsx'
import { SortMenu } from './SortMenu.tsx'
import { ViewOptions } from './ViewOptions.tsx'
import './TilesHeader.css'

/** Loaded with the first gallery. */
const GalleryTools = lazyPart(async () => (await import('./GalleryTools.tsx')).GalleryTools)

interface TilesHeaderProps {
  sorting: Sorting
  /** The pictures and films of a gallery; undefined in other views. */
  gallery: readonly Entry[] | undefined
}

/** The header of views without columns: the sort menu, the view options; in narrow windows the choice of the view. */
export function TilesHeader({ sorting, gallery }: TilesHeaderProps) {
  const { t } = useTranslation()
  const context = useActionContext()
  return (
    <div className="TilesHeader" role="row" aria-rowindex={1} data-header>
      {gallery && gallery.length > 0 && (
        <div className="TilesHeader__gallery" role="columnheader">
          <Suspense fallback={null}>
            <GalleryTools pictures={gallery} />
          </Suspense>
        </div>
      )}
      <div className="TilesHeader__order" role="columnheader">
        <SortMenu sorting={sorting} />
      </div>
      <div role="columnheader">
        <ViewOptions />
        <FilterButton />
      </div>
      <div className="narrow-only" role="columnheader">
        <Segmented label={t('places.views')} options={toggleButtons('views', context)} />
      </div>
    </div>
  )
}
