import type { ReactNode } from 'react'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type Crumb, crumbsOf } from '#ui/lib/entries/crumbs.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import type { TreePath } from '#wire/paths.ts'
import './FolderPath.css'

interface FolderPathProps {
  path: TreePath
  onOpen(folder: TreePath): void
}

/** The path of the picker, with links to the parents: "…" opens the folder above the shown ones. */
export function FolderPath({ path, onOpen }: FolderPathProps) {
  const { t } = useTranslation()
  const [home, ...inner] = crumbsOf(path, t('places.home'))
  const shownMax = useMedia(NARROW) ? 1 : 2
  const shown = inner.slice(-shownMax)
  const above = inner.at(-shownMax - 1)
  return (
    <nav className="FolderPath" aria-label={t('places.path')}>
      {home && (
        <PathPart crumb={home} isCurrent={inner.length === 0} onOpen={onOpen}>
          <Icon name="home" />
        </PathPart>
      )}
      {above && (
        <PathPart crumb={above} onOpen={onOpen}>
          …
        </PathPart>
      )}
      {shown.map((crumb, index) => (
        <PathPart
          key={crumb.path}
          crumb={crumb}
          isCurrent={index === shown.length - 1}
          onOpen={onOpen}
        >
          <bdi>{crumb.name}</bdi>
        </PathPart>
      ))}
    </nav>
  )
}

interface PathPartProps {
  crumb: Crumb
  isCurrent?: boolean
  onOpen(folder: TreePath): void
  children: ReactNode
}

function PathPart({ crumb, isCurrent = false, onOpen, children }: PathPartProps) {
  return (
    <button
      type="button"
      className="FolderPath__part"
      title={crumb.name}
      aria-label={crumb.name}
      aria-current={isCurrent ? 'location' : undefined}
      onClick={() => onOpen(crumb.path)}
    >
      {children}
    </button>
  )
}
