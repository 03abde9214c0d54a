import type { MouseEvent } from 'react'
import { Link } from 'wouter'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { Thumb } from '#ui/components/pictures/Thumb.tsx'
import { formatDate, formatFullDate, formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { piecesOf } from '#ui/lib/entries/find-text.ts'
import { shownPath, withoutDisguise } from '#ui/lib/entries/shown-name.ts'
import type { Anchor } from '#ui/lib/gestures/menu-position.ts'
import { filesUrl } from '#ui/lib/page/location.ts'
import { thumbnailUrl } from '#ui/lib/urls/content-urls.ts'
import { closeOverlay } from '#ui/state/dialogs/overlay.ts'
import { toQuery } from '#ui/state/finder/query.ts'
import { hasThumbnail, rowThumbnailOf } from '#ui/state/session/settings.ts'
import type { Entry } from '#wire/api/entry.ts'
import { parentPath, ROOT } from '#wire/paths.ts'
import { HitName } from './HitName.tsx'
import { Marked } from './Marked.tsx'
import './Finder.css'
import './HitRow.css'

interface HitRowProps {
  id: string
  hit: Entry
  /** A line of the file that contains the typed words; undefined for a result by name. */
  excerpt?: string | undefined
  /** The typed text. */
  text: string
  isActive: boolean
  isSelected: boolean
  /** Whether any result is selected: a click then selects. */
  isSelecting: boolean
  onSelect(): void
  onMenu(anchor: Anchor): void
}

/** A file or folder that was found: a link with its name, folder, size and modification time. */
export function HitRow(props: HitRowProps) {
  const { id, hit, excerpt, text, isActive, isSelected, isSelecting, onSelect, onMenu } = props
  const { t } = useTranslation()
  const { path, name, isDir, size, modified } = hit
  const folder = parentPath(path)
  const folderText = folder === ROOT ? t('places.home') : shownPath(folder).slice(1)
  const below = excerpt === undefined ? folderText : withoutDisguise(excerpt)
  const icon = <FileIcon entry={hit} />
  const hasPicture = hasThumbnail(hit)
  const preview = rowThumbnailOf(hit)
  return (
    <Link
      id={id}
      className="Finder__row HitRow"
      role="option"
      aria-selected={isSelecting ? isSelected : isActive}
      data-active={isActive || undefined}
      tabIndex={-1}
      href={filesUrl(path, isDir)}
      title={shownPath(path)}
      onClick={click}
      onContextMenu={(event) => {
        event.preventDefault()
        onMenu({ x: event.clientX, y: event.clientY })
      }}
    >
      <span className="HitRow__picture" data-part="select" title={t('finder.select', { name })}>
        {hasPicture ? (
          <Thumb
            src={thumbnailUrl(hit, path, preview)}
            isWhole={preview === 'small'}
            fallback={icon}
          />
        ) : (
          icon
        )}
        <span className="HitRow__check" data-on={isSelected || undefined}>
          <Icon name="check" />
        </span>
      </span>
      <span className="HitRow__text">
        <span className="HitRow__name">
          <HitName name={name} typed={excerpt === undefined ? text : ''} />
          {excerpt !== undefined && <bdi className="HitRow__beside">{folderText}</bdi>}
        </span>
        <bdi className="HitRow__folder">
          <Marked pieces={piecesOf(below, toQuery(text))} />
        </bdi>
      </span>
      <span className="HitRow__facts">
        {!isDir && <span>{formatSize(size)}</span>}
        <time dateTime={modified} title={formatFullDate(modified)}>
          {formatDate(modified)}
        </time>
      </span>
      <span className="HitRow__more" data-part="more" title={t('listing.more', { name })}>
        <Icon name="ellipsis" />
      </span>
    </Link>
  )

  /** With a modifier key the link opens in another tab, so the finder stays open. */
  function click(event: MouseEvent<HTMLElement>): void {
    const part = event.target instanceof Element && event.target.closest<HTMLElement>('[data-part]')
    const opensTab = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
    if (part && part.dataset.part === 'more') onMenu(part)
    else if (part || (isSelecting && !opensTab)) onSelect()
    else {
      if (!opensTab) closeOverlay()
      return
    }
    event.preventDefault()
  }
}
