import type { CSSProperties } from 'react'
import { Link } from 'wouter'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { formatSize } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type FileKind, kindOf } from '#ui/lib/entries/kinds.ts'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { type TreemapBox, treemap } from '#ui/lib/entries/treemap.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import type { SpacePart } from '#wire/api/space.ts'
import './Treemap.css'

interface TreemapProps {
  parts: readonly SpacePart[]
  /** Bytes of the folder, with what is not in `parts`. */
  total: number
  /** The URL of an entry: of a folder, its own map. */
  urlOf(part: SpacePart): string
}

/** The height of the map, as a factor of its width. */
const HEIGHT = { wide: 0.32, narrow: 0.8 }
/** Boxes that are smaller, as a factor of the width of the map, have no text, and are no target for a finger. */
const SIDE_MIN = { wide: 0.04, narrow: 0.15 }

/** The entries of a folder as boxes, whose areas show how much space they take. The list beside it has the same. */
export function Treemap({ parts, total, urlOf }: TreemapProps) {
  const { t } = useTranslation()
  const size = useMedia(NARROW) ? 'narrow' : 'wide'
  const height = HEIGHT[size]
  const shown = parts.filter(({ bytes }) => bytes > 0).slice(0, ON_DEMAND_LIMITS.treemapBoxesMax)
  const rest = total - shown.reduce((sum, { bytes }) => sum + bytes, 0)
  const boxes = treemap([...shown.map(({ bytes }) => bytes), ...(rest > 0 ? [rest] : [])], height)
  const kinds = [...new Set(shown.map(kindOfPart))]
  return (
    <figure className="Treemap">
      <ul
        className="Treemap__map"
        aria-label={t('settings.space.title')}
        style={{ aspectRatio: `1 / ${height}` }}
      >
        {boxes.map((box, index) => {
          const part = shown[index]
          const style = boundsOf(box, height)
          // What is not listed has no name.
          if (!part)
            return <li key="rest" className="Treemap__box" data-kind="rest" style={style} />
          const { entry, bytes } = part
          const kind = kindOfPart(part)
          const title = [shownName(entry.name).text, formatSize(bytes), t(`kinds.${kind}`)].join(
            ' · ',
          )
          const isLarge = box.width >= SIDE_MIN[size] && box.height >= SIDE_MIN[size]
          return (
            <li
              key={entry.path}
              className="Treemap__box"
              data-kind={kind}
              style={style}
              title={title}
            >
              {isLarge ? (
                <Link className="Treemap__link" href={urlOf(part)}>
                  <span className="Treemap__name">
                    <bdi>{shownName(entry.name).text}</bdi>
                  </span>
                  <span className="Treemap__size">
                    <bdi>{formatSize(bytes)}</bdi>
                  </span>
                </Link>
              ) : (
                <span className="visually-hidden">{title}</span>
              )}
            </li>
          )
        })}
      </ul>
      <figcaption className="Treemap__legend">
        {kinds.map((kind) => (
          <span key={kind} className="Treemap__kind" data-kind={kind}>
            {t(`kinds.${kind}`)}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

/** The kind of a file; of a folder, that of the files that take up the most of it. */
function kindOfPart({ entry, mainKind }: SpacePart): FileKind | 'folder' {
  if (!entry.isDir || !mainKind) return kindOf(entry)
  return kindOf({ name: `x${mainKind.extension}`, type: mainKind.type, isDir: false })
}

function boundsOf({ x, y, width, height }: TreemapBox, mapHeight: number): CSSProperties {
  const percent = (value: number) => `${(100 * value).toFixed(3)}%`
  return {
    insetInlineStart: percent(x),
    insetBlockStart: percent(y / mapHeight),
    inlineSize: percent(width),
    blockSize: percent(height / mapHeight),
  }
}
