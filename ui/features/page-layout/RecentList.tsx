import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { useAsync } from '#ui/components/hooks/use-async.ts'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { formatMoment } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownPath } from '#ui/lib/entries/shown-name.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { filesUrl } from '#ui/lib/page/location.ts'
import { recentFiles } from '#ui/state/folder/favourites.ts'
import { listing } from '#ui/state/folder/listing.ts'

/** Recently opened or changed files. They are loaded again for each folder or file that is shown. */
export function RecentList() {
  const { t } = useTranslation()
  const { path } = useSnapshot(listing)
  const result = useAsync(path, recentFiles)
  if (result.status === 'loading') return null
  const files =
    result.status === 'loaded' ? result.value.slice(0, ON_DEMAND_LIMITS.recentFilesMax) : []
  if (files.length === 0) return <p className="SidebarSection__hint">{t('sidebar.noRecent')}</p>
  return files.map((file) => (
    <Link
      key={file.path}
      className="Sidebar__item"
      href={filesUrl(file.path, false)}
      title={`${shownPath(file.path)} · ${formatMoment(new Date(file.modified))}`}
    >
      <FileIcon entry={file} />
      <span className="Sidebar__label">
        <Name>{file.name}</Name>
      </span>
    </Link>
  ))
}
