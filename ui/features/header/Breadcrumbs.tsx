import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Crumbs } from '#ui/components/Crumbs.tsx'
import { Menu } from '#ui/components/Menu.tsx'
import { useFolds } from '#ui/components/use-folds.ts'
import { useMedia } from '#ui/components/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type Crumb, crumbsOf } from '#ui/lib/crumbs.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { filesUrl, goTo } from '#ui/lib/location.ts'
import { NARROW } from '#ui/lib/media.ts'
import { listing } from '#ui/state/listing.ts'
import { ROOT } from '#wire/paths.ts'

/** Home and the folders down to here; the ones that do not fit open from "…". */
export function Breadcrumbs() {
  const { t } = useTranslation()
  const { path } = useSnapshot(listing)
  const narrow = useMedia(NARROW)
  const crumbs = crumbsOf(path, t('places.home'))
  // Narrow windows have room for the last one, and for home right above it; elsewhere home is the last to leave.
  const isBelowHome = crumbs.length === 2
  const most = narrow ? (isBelowHome ? 2 : 1) : UI_LIMITS.breadcrumbEntries
  const { nav, folds } = useFolds(path, most)
  const stay = narrow || folds === most ? 0 : 1
  const space = Math.max(1, most - folds)
  const hidden = crumbs.slice(stay, Math.max(stay, crumbs.length - space))
  const shown = crumbs.filter((crumb) => !hidden.includes(crumb))
  const isHome = (crumb: Crumb) => crumb === crumbs[0] && (!narrow || shown.length > 1)
  return (
    <Crumbs
      nav={nav}
      parts={shown.map((crumb) => ({
        key: crumb.path,
        name: crumb.name,
        href: filesUrl(crumb.path, true),
        dropPath: crumb.path,
        ...(isHome(crumb) && { icon: 'home', iconOnly: true }),
      }))}
      gap={hidden.length > 0 ? { at: stay, button: <HiddenCrumbs crumbs={hidden} /> } : undefined}
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
        title={t('places.hiddenFolders')}
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
