import type { ReactNode } from 'react'
import { Icon } from '#ui/components/Icon.tsx'
import { useMedia } from '#ui/components/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type Crumb, crumbsOf } from '#ui/lib/crumbs.ts'
import { NARROW } from '#ui/lib/media.ts'
import type { TreePath } from '#wire/paths.ts'
import './FolderTrail.css'

interface FolderTrailProps {
  path: TreePath
  onOpen(folder: TreePath): void
}

/** Where the picker is, and the way back up: "…" leads to the folder above those that are shown. */
export function FolderTrail({ path, onOpen }: FolderTrailProps) {
  const { t } = useTranslation()
  const [home, ...inner] = crumbsOf(path, t('places.home'))
  const room = useMedia(NARROW) ? 1 : 2
  const shown = inner.slice(-room)
  const above = inner.at(-room - 1)
  return (
    <nav className="FolderTrail" aria-label={t('places.path')}>
      {home && (
        <TrailPart crumb={home} isCurrent={inner.length === 0} onOpen={onOpen}>
          <Icon name="house" />
        </TrailPart>
      )}
      {above && (
        <TrailPart crumb={above} onOpen={onOpen}>
          …
        </TrailPart>
      )}
      {shown.map((crumb, at) => (
        <TrailPart
          key={crumb.path}
          crumb={crumb}
          isCurrent={at === shown.length - 1}
          onOpen={onOpen}
        >
          <bdi>{crumb.name}</bdi>
        </TrailPart>
      ))}
    </nav>
  )
}

interface TrailPartProps {
  crumb: Crumb
  isCurrent?: boolean
  onOpen(folder: TreePath): void
  children: ReactNode
}

function TrailPart({ crumb, isCurrent = false, onOpen, children }: TrailPartProps) {
  return (
    <button
      type="button"
      className="FolderTrail__part"
      title={crumb.name}
      aria-label={crumb.name}
      aria-current={isCurrent ? 'location' : undefined}
      onClick={() => onOpen(crumb.path)}
    >
      {children}
    </button>
  )
}
