import type { MouseEvent } from 'react'
import { Crumbs, isLastCut } from '#ui/components/controls/Crumbs.tsx'
import { useFolds } from '#ui/components/hooks/use-folds.ts'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { crumbsOf } from '#ui/lib/entries/crumbs.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import type { ArchiveSource } from '#ui/state/file/archive-source.ts'
import type { RequestPath } from '#wire/paths.ts'

interface ArchiveCrumbsProps {
  source: ArchiveSource
  location: RequestPath
  onGo(event: MouseEvent, target: RequestPath): void
}

/** Breadcrumbs from the archive down; "…" opens the last folder that does not fit. */
export function ArchiveCrumbs({ source, location, onGo }: ArchiveCrumbsProps) {
  const { t } = useTranslation()
  const crumbsMax = useMedia(NARROW) ? 2 : UI_LIMITS.breadcrumbEntries
  const { bar, folds } = useFolds(`${source.key} ${location.path}`, crumbsMax - 1, isLastCut)
  const crumbs = crumbsOf(location.path, shownName(source.name).text)
  const hidden = Math.max(0, crumbs.length - (crumbsMax - folds))
  const shown = crumbs.slice(Math.max(0, hidden - 1))
  return (
    <Crumbs
      nav={bar}
      label={t('archive.path')}
      parts={shown.map((crumb, index) => {
        const target = {
          path: crumb.path,
          asFolder: location.asFolder || crumb.path !== location.path,
        }
        return {
          key: crumb.path,
          name: hidden > 0 && index === 0 ? '…' : crumb.name,
          href: source.pageUrl(target),
          onClick: (event) => onGo(event, target),
          ...(crumb === crumbs[0] && { icon: 'archive' }),
        }
      })}
    />
  )
}
