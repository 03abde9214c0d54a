import { useSnapshot } from 'valtio'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Thumb } from '#ui/components/pictures/Thumb.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { goTo } from '#ui/lib/page/location.ts'
import { useViewerContext } from '#ui/state/action-context.ts'
import { useFileSource } from '#ui/state/file/file-source.ts'
import { viewerState } from '#ui/state/file/viewer.ts'
import { hasThumbnail } from '#ui/state/session/settings.ts'
import type { Entry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'
import './Filmstrip.css'

/** The number of pictures before and after the shown one. */
const EACH_SIDE = 6

/** Thumbnails of the pictures around the shown one. */
export function Filmstrip() {
  const { t } = useTranslation()
  const { siblings } = useSnapshot(viewerState)
  const { path } = useViewerContext()
  const pictures = siblings.filter((entry) => entry.type === 'image')
  const index = pictures.findIndex((entry) => entry.path === path)
  if (index < 0 || pictures.length < 2) return null
  const first = Math.max(0, Math.min(index - EACH_SIDE, pictures.length - 2 * EACH_SIDE - 1))
  return (
    <nav className="Filmstrip wide-only" aria-label={t('viewer.pictures')}>
      {pictures.slice(first, first + 2 * EACH_SIDE + 1).map((entry) => (
        <FilmstripItem key={entry.path} entry={entry} isCurrent={entry.path === path} />
      ))}
    </nav>
  )
}

interface FilmstripItemProps {
  entry: Pick<Entry, 'path' | 'name' | 'type' | 'isDir' | 'modified'>
  isCurrent: boolean
}

function FilmstripItem({ entry, isCurrent }: FilmstripItemProps) {
  const source = useFileSource()
  const path = parsePath(entry.path)
  const icon = <FileIcon entry={entry} />
  return (
    <button
      type="button"
      className="Filmstrip__item"
      aria-label={shownName(entry.name).text}
      title={shownName(entry.name).text}
      aria-current={isCurrent || undefined}
      onClick={() => goTo(source.page(path, false), { replace: true })}
    >
      {hasThumbnail(entry) ? (
        <Thumb src={source.preview('thumb', entry, path)} fallback={icon} />
      ) : (
        icon
      )}
    </button>
  )
}
