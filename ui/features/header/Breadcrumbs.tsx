import { type Ref, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Crumbs, isLastCut } from '#ui/components/controls/Crumbs.tsx'
import { useFolds } from '#ui/components/hooks/use-folds.ts'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { Menu } from '#ui/components/overlays/Menu.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type Crumb, crumbsOf } from '#ui/lib/entries/crumbs.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { filesUrl, goTo } from '#ui/lib/page/location.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { useActionContext } from '#ui/state/action-context.ts'
import { listing } from '#ui/state/folder/listing.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { FileState } from './FileState.tsx'
import { SearchField } from './SearchField.tsx'
import { SiblingsArrow } from './SiblingsArrow.tsx'

/** The breadcrumbs and the search field. If the window is narrow, the search field becomes an icon first. */
export function PathLine() {
  const { path } = useSnapshot(listing)
  const { page } = useActionContext()
  const isNarrow = useMedia(NARROW)
  const searchFolds = page === 'file' || isNarrow ? 0 : 1
  const foldsMax = searchFolds + crumbsMax(path, isNarrow)
  const { bar, folds } = useFolds(path, foldsMax, isLastCut, searchFieldBeside)
  return (
    <>
      <Breadcrumbs nav={bar} folds={Math.max(0, folds - searchFolds)} />
      <FileState />
      <SearchField isIconOnly={isNarrow || folds > 0} />
    </>
  )
}

/** The element that shares its space with the breadcrumbs. */
const searchFieldBeside = (nav: HTMLElement) =>
  nav.parentElement?.querySelector('.SearchField') ?? null

/**
 * The maximum number of breadcrumbs. Narrow windows show only the last folder, and the home folder if that is its
 * parent.
 */
function crumbsMax(path: TreePath, isNarrow: boolean): number {
  if (!isNarrow) return UI_LIMITS.breadcrumbEntries
  return crumbsOf(path, '').length === 2 ? 2 : 1
}

interface BreadcrumbsProps {
  nav: Ref<HTMLElement>
  /** The number of breadcrumbs that are hidden, of those that the widest window would show. */
  folds: number
}

/** The home folder and the folders down to the shown one; a menu behind "…" contains those that do not fit. */
function Breadcrumbs({ nav, folds }: BreadcrumbsProps) {
  const { t } = useTranslation()
  const { path } = useSnapshot(listing)
  const isNarrow = useMedia(NARROW)
  const crumbs = crumbsOf(path, t('places.home'))
  const shownMax = crumbsMax(path, isNarrow)
  // In wider windows the breadcrumb of the home folder is hidden last.
  const pinnedCount = isNarrow || folds === shownMax ? 0 : 1
  const shownCount = Math.max(1, shownMax - folds)
  const hidden = crumbs.slice(pinnedCount, Math.max(pinnedCount, crumbs.length - shownCount))
  const shown = crumbs.filter((crumb) => !hidden.includes(crumb))
  const isHome = (crumb: Crumb) => crumb === crumbs[0] && (!isNarrow || shown.length > 1)
  return (
    <Crumbs
      nav={nav}
      parts={shown.map((crumb) => ({
        key: crumb.path,
        name: crumb.name,
        href: filesUrl(crumb.path, true),
        dropPath: crumb.path,
        // In narrow windows an arrow is too small for touch.
        ...(crumb.path !== ROOT && !isNarrow && { arrow: <SiblingsArrow path={crumb.path} /> }),
        ...(isHome(crumb) && { icon: 'home', isIconOnly: true }),
      }))}
      gap={
        hidden.length > 0
          ? { index: pinnedCount, button: <HiddenCrumbs crumbs={hidden} /> }
          : undefined
      }
    />
  )
}

function HiddenCrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const { t } = useTranslation()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const items = crumbs.map((crumb) => ({
    id: crumb.path,
    label: crumb.name,
    icon: crumb.path === ROOT ? ('home' as const) : ('folder' as const),
    onSelect: () => goTo(filesUrl(crumb.path, true)),
  }))
  return (
    <>
      <button
        type="button"
        className="Crumbs__part"
        aria-label={t('places.hiddenFolders')}
        data-tip={t('places.hiddenFolders')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        …
      </button>
      {anchor && (
        <Menu
          label={t('places.hiddenFolders')}
          items={items}
          anchor={anchor}
          onClose={() => setAnchor(null)}
        />
      )}
    </>
  )
}
