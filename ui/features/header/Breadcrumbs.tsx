import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { Icon } from '#ui/components/Icon.tsx'
import { Menu } from '#ui/components/Menu.tsx'
import { useMedia } from '#ui/components/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type Crumb, crumbsOf } from '#ui/lib/crumbs.ts'
import { filesUrl, goTo } from '#ui/lib/location.ts'
import { NARROW } from '#ui/lib/media.ts'
import { listing } from '#ui/state/listing.ts'
import { LIMITS } from '#wire/limits.ts'
import './Breadcrumbs.css'

/** Home and the folders down to here; the ones that do not fit open from "…". */
export function Breadcrumbs() {
  const { t } = useTranslation()
  const { path } = useSnapshot(listing)
  const narrow = useMedia(NARROW)
  const crumbs = crumbsOf(path, t('places.home'))
  // Narrow windows have room for the last one only; elsewhere home stays in view.
  const home = narrow ? undefined : crumbs[0]
  const inner = narrow ? crumbs : crumbs.slice(1)
  const room = narrow ? 1 : LIMITS.breadcrumbEntries
  const hidden = inner.slice(0, Math.max(0, inner.length - room))
  const shown = inner.slice(hidden.length)
  return (
    <nav className="Breadcrumbs" aria-label={t('places.path')}>
      <ol>
        {home && (
          <li>
            <CrumbLink crumb={home} isCurrent={crumbs.length === 1} isHome />
          </li>
        )}
        {hidden.length > 0 && (
          <li>
            {home && <Icon name="chevron-right" mirror />}
            <HiddenCrumbs crumbs={hidden} />
          </li>
        )}
        {shown.map((crumb, at) => (
          <li key={crumb.path}>
            {(home || hidden.length > 0) && <Icon name="chevron-right" mirror />}
            <CrumbLink crumb={crumb} isCurrent={at === shown.length - 1} />
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface CrumbLinkProps {
  crumb: Crumb
  isCurrent: boolean
  isHome?: boolean
}

function CrumbLink({ crumb, isCurrent, isHome = false }: CrumbLinkProps) {
  return (
    <Link
      className="Breadcrumbs__part"
      href={filesUrl(crumb.path, true)}
      title={crumb.name}
      data-drop-path={crumb.path}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={isHome ? crumb.name : undefined}
    >
      {isHome ? <Icon name="house" /> : <bdi>{crumb.name}</bdi>}
    </Link>
  )
}

function HiddenCrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const { t } = useTranslation()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const items = crumbs.map((crumb) => ({
    id: crumb.path,
    label: crumb.name,
    icon: 'folder' as const,
    onSelect: () => goTo(filesUrl(crumb.path, true)),
  }))
  return (
    <>
      <button
        type="button"
        className="Breadcrumbs__part"
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
