import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import { FileIcon } from '#ui/components/FileIcon.tsx'
import { Thumb } from '#ui/components/Thumb.tsx'
import { formatDate, formatFullDate, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { thumbnailUrl } from '#ui/lib/content-urls.ts'
import { piecesOf } from '#ui/lib/find-text.ts'
import { filesUrl } from '#ui/lib/location.ts'
import { shownName, shownPath, withoutDisguise } from '#ui/lib/shown-name.ts'
import { closeOverlay } from '#ui/state/overlay.ts'
import { hasThumbnail } from '#ui/state/settings.ts'
import type { Entry } from '#wire/entry.ts'
import { parentPath, ROOT } from '#wire/paths.ts'
import './HitRow.css'

interface HitRowProps {
  id: string
  hit: Entry
  /** A line of the file that contains the words. */
  excerpt?: string | undefined
  /** The typed text. */
  text: string
  active: boolean
}

/** A link to a result: its name and folder, its size, and its modification time. */
export function HitRow({ id, hit, excerpt, text, active }: HitRowProps) {
  const { t } = useTranslation()
  const { path, name, isDir, size, modified } = hit
  const folder = parentPath(path)
  const icon = <FileIcon entry={hit} />
  const hasPicture = hasThumbnail(hit.type)
  return (
    <Link
      id={id}
      className="HitRow"
      role="option"
      aria-selected={active}
      tabIndex={-1}
      href={filesUrl(path, isDir)}
      title={shownPath(path)}
      onClick={closeUnlessNewTab}
    >
      <span className="HitRow__picture">
        {hasPicture ? <Thumb src={thumbnailUrl(hit, path)} fallback={icon} /> : icon}
      </span>
      <span className="HitRow__text">
        <span className="HitRow__name" dir="auto">
          {excerpt === undefined ? marked(shownName(name).text, text) : shownName(name).text}
        </span>
        <bdi className="HitRow__folder">
          {excerpt !== undefined && marked(withoutDisguise(excerpt), text)}
          {excerpt === undefined &&
            (folder === ROOT ? t('places.home') : shownPath(folder).slice(1))}
        </bdi>
      </span>
      <span className="HitRow__facts">
        {!isDir && <span>{formatSize(size)}</span>}
        <time dateTime={modified} title={formatFullDate(modified)}>
          {formatDate(modified)}
        </time>
      </span>
    </Link>
  )
}

/** A text with the matches of the typed text highlighted. */
function marked(text: string, typed: string): ReactNode {
  return piecesOf(text, typed).map(({ text: piece, found }, at) => {
    const Piece = found ? 'mark' : 'span'
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text stay in order
    return <Piece key={at}>{piece}</Piece>
  })
}

/** With a modifier key the link opens in another tab, so the finder stays open. */
function closeUnlessNewTab({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): void {
  if (!ctrlKey && !metaKey && !shiftKey && !altKey) closeOverlay()
}
