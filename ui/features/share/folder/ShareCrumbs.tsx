import { Crumbs, isLastCut } from '#ui/components/controls/Crumbs.tsx'
import { useFolds } from '#ui/components/hooks/use-folds.ts'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { crumbsOf } from '#ui/lib/entries/crumbs.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { type SharePath, sharePageUrl } from '#ui/lib/urls/share-urls.ts'

interface ShareCrumbsProps {
  address: SharePath
  /** The name of the shared folder. */
  root: string
}

/** Breadcrumbs from the shared folder down; "…" opens the last folder that does not fit. */
export function ShareCrumbs({ address: { hash, path }, root }: ShareCrumbsProps) {
  const crumbsMax = useMedia(NARROW) ? 2 : UI_LIMITS.breadcrumbEntries
  const { bar, folds } = useFolds(`${root} ${path}`, crumbsMax - 1, isLastCut)
  const shownCount = crumbsMax - folds
  const crumbs = crumbsOf(path, root)
  const hidden = Math.max(0, crumbs.length - shownCount)
  const shown = crumbs.slice(Math.max(0, hidden - 1))
  return (
    <Crumbs
      nav={bar}
      parts={shown.map((crumb, index) => ({
        key: crumb.path,
        name: hidden > 0 && index === 0 ? '…' : crumb.name,
        href: sharePageUrl(hash, crumb.path, true),
        ...(crumb === crumbs[0] && { icon: 'folder-open' }),
      }))}
    />
  )
}
