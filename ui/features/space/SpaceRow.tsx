import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { IconButton } from '#ui/components/controls/IconButton.tsx'
import { FileIcon } from '#ui/components/icons/FileIcon.tsx'
import { Name } from '#ui/components/icons/Name.tsx'
import { formatColumnSize, formatExactSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { KindSource } from '#ui/lib/entries/kinds.ts'
import './SpaceRow.css'

interface SpaceRowProps {
  /** What the icon shows. */
  kind: KindSource
  name: string
  /** Undefined for a row that leads nowhere. */
  href?: string | undefined
  /** A second line. */
  fact: ReactNode
  bytes: number
  /** The part of the whole, from 0 to 1; without it, no bar is shown. */
  share?: number | undefined
  /** Opens the menu of the row, if it has one. */
  onMenu?: ((button: HTMLElement) => void) | undefined
}

/** What takes up space: an entry, or a kind of files. */
export function SpaceRow({ kind, name, href, fact, bytes, share, onMenu }: SpaceRowProps) {
  const { t } = useTranslation()
  return (
    <li className="SpaceRow">
      <FileIcon entry={kind} />
      <div className="SpaceRow__text">
        {href ? (
          <Link className="SpaceRow__link" href={href}>
            <Name isTall>{name}</Name>
          </Link>
        ) : (
          <span>{name}</span>
        )}
        <span className="SpaceRow__fact">{fact}</span>
        {share !== undefined && (
          <span className="SpaceRow__bar">
            <span style={{ inlineSize: `${(100 * share).toFixed(2)}%` }} />
          </span>
        )}
      </div>
      <span className="SpaceRow__size" title={formatExactSize(bytes)}>
        <bdi>{formatColumnSize(bytes)}</bdi>
      </span>
      {onMenu && (
        <IconButton
          icon="ellipsis"
          size="s"
          label={t('listing.more', { name })}
          aria-haspopup="menu"
          onClick={(event) => onMenu(event.currentTarget)}
        />
      )}
    </li>
  )
}
