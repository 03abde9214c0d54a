import { Link } from 'wouter'
import { Icon } from '#ui/components/Icon.tsx'
import { useMedia } from '#ui/components/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { crumbsOf } from '#ui/lib/crumbs.ts'
import { NARROW } from '#ui/lib/media.ts'
import { type ShareAddress, sharePageUrl } from '#ui/lib/share-links.ts'
import { LIMITS } from '#wire/limits.ts'
import './ShareCrumbs.css'

interface ShareCrumbsProps {
  address: ShareAddress
  /** What the shared folder is called. */
  root: string
}

/** The shared folder and the way down to here; "…" leads to the last folder that has no room. */
export function ShareCrumbs({ address: { hash, path }, root }: ShareCrumbsProps) {
  const { t } = useTranslation()
  const room = useMedia(NARROW) ? 2 : LIMITS.breadcrumbEntries
  const crumbs = crumbsOf(path, root)
  const hidden = Math.max(0, crumbs.length - room)
  const shown = crumbs.slice(Math.max(0, hidden - 1))
  return (
    <nav className="ShareCrumbs" aria-label={t('places.path')}>
      <ol>
        {shown.map((crumb, at) => (
          <li key={crumb.path}>
            {at > 0 && <Icon name="chevron-right" mirror />}
            <Link
              className="ShareCrumbs__part"
              href={sharePageUrl(hash, crumb.path, true)}
              title={crumb.name}
              aria-current={at === shown.length - 1 ? 'page' : undefined}
            >
              {crumb === crumbs[0] && <Icon name="folder-open" />}
              <bdi>{hidden > 0 && at === 0 ? '…' : crumb.name}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
