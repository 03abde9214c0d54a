import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { DEFAULT_RATIO, justify, type PictureRow, type RowSpace } from '#ui/lib/entries/justify.ts'
import { queueThumbnail } from '#ui/lib/urls/thumbnail-queue.ts'
import type { LayoutMetrics, PlacedRow } from '../layout/layout.ts'

/** Replaces the URL of an entry without a picture: a film, if the server makes no thumbnails of films. */
export const NO_PICTURE = ''

/** The aspect ratio (width by height) of every picture that was loaded on this page, by its URL. */
const ratios = new Map<string, number>()

/** The state of a picture; undefined while it loads. */
export type Picture = HTMLImageElement | 'failed' | undefined

export interface Gallery {
  rows: readonly PictureRow[]
  /** Rows before this one are final: their pictures may be shown. */
  finalRows: number
  pictureOf(index: number): Picture
  /** Must be called with the rendered rows: it loads their pictures. A row becomes final when its pictures arrive. */
  onRendered(rendered: readonly PlacedRow[]): void
}

/** Metadata that is known before a picture arrives. */
interface GalleryHints {
  /** The aspect ratio of a picture, if it is known. */
  ratioOf(index: number): number | undefined
  /** Pictures that begin a new row. */
  breaks: ReadonlySet<number>
}

/** The rows for one width and one set of pictures. */
interface RowLayout {
  space: RowSpace
  rows: readonly PictureRow[]
  finalRows: number
}

/** The load of a picture near the viewport. */
interface Load {
  picture: Picture
  cancel(): void
}

/**
 * Rows of pictures whose aspect ratios are only known after they are loaded. A row is final when all of its pictures
 * have arrived, and shows them only then, so that visible pictures do not move. Rows above the viewport become final
 * without waiting for their pictures.
 */
export function useGallery(
  sources: readonly string[],
  metrics: LayoutMetrics | undefined,
  { ratioOf, breaks }: GalleryHints,
): Gallery {
  const [version, setVersion] = useState(0)
  const loads = useLoads(useCallback(() => setVersion((old) => old + 1), []))

  // biome-ignore lint/correctness/useExhaustiveDependencies: other pictures need new rows
  const rowLayout = useMemo(() => metrics && createRowLayout(metrics), [sources, metrics, breaks])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version counts the loaded pictures
  const rows = useMemo(() => {
    if (!rowLayout) return []
    const finalPart = rowLayout.rows.slice(0, rowLayout.finalRows)
    for (const [index, src] of sources.entries()) {
      const ratio = ratios.has(src) ? undefined : ratioOf(index)
      if (ratio !== undefined && src !== NO_PICTURE) ratios.set(src, ratio)
    }
    const currentRatios = sources.map(
      (src, index) => ratios.get(src) ?? ratioOf(index) ?? DEFAULT_RATIO,
    )
    rowLayout.rows = [
      ...finalPart,
      ...justify(currentRatios, finalPart.at(-1)?.end ?? 0, rowLayout.space, breaks),
    ]
    return rowLayout.rows
  }, [rowLayout, sources, version])

  function onRendered(rendered: readonly PlacedRow[]): void {
    const pictureRows = rendered.filter(({ kind }) => kind === 'picture')
    const first = pictureRows[0]
    const last = pictureRows.at(-1)
    loads.loadOnly(first && last ? sources.slice(first.start, last.end) : [])
    if (!rowLayout || !first || !last) return
    const finalRowsBefore = rowLayout.finalRows
    const isReady = (row: number) => row < first.number || isComplete(rows[row], sources)
    while (rowLayout.finalRows <= last.number && isReady(rowLayout.finalRows))
      rowLayout.finalRows += 1
    if (rowLayout.finalRows > finalRowsBefore) setVersion((old) => old + 1)
  }

  return {
    rows,
    finalRows: rowLayout?.finalRows ?? 0,
    pictureOf(index) {
      const src = sources[index] ?? NO_PICTURE
      return src === NO_PICTURE ? 'failed' : loads.find(src)
    },
    onRendered,
  }
}

/** Loads the pictures near the viewport. `onChange` is called after loads, at most once per animation frame. */
function useLoads(onChange: () => void) {
  const loads = useRef(new Map<string, Load>())
  const frameRequest = useRef(0)

  useEffect(() => {
    const { current } = loads
    return () => {
      cancelAnimationFrame(frameRequest.current)
      for (const { cancel } of current.values()) cancel()
      current.clear()
    }
  }, [])

  function loadOnly(sources: readonly string[]): void {
    const needed = new Set(sources.filter((src) => src !== NO_PICTURE))
    for (const [src, { cancel }] of loads.current) {
      if (needed.has(src)) continue
      cancel()
      loads.current.delete(src)
    }
    for (const src of needed) if (!loads.current.has(src)) begin(src)
  }

  function begin(src: string): void {
    const load: Load = { picture: undefined, cancel: () => undefined }
    const onArrived = (picture: Picture, ratio: number) => {
      load.picture = picture
      if (!ratios.has(src)) ratios.set(src, ratio)
      frameRequest.current ||= requestAnimationFrame(() => {
        frameRequest.current = 0
        onChange()
      })
    }
    loads.current.set(src, load)
    load.cancel = queueThumbnail(
      src,
      (image) => onArrived(image, image.naturalWidth / image.naturalHeight || DEFAULT_RATIO),
      () => onArrived('failed', DEFAULT_RATIO),
    )
  }

  return { loadOnly, find: (src: string) => loads.current.get(src)?.picture }
}

function createRowLayout({ width, gutter, pictureGap, pictureRow }: LayoutMetrics): RowLayout {
  const space = { width: width - 2 * gutter, gap: pictureGap, target: pictureRow }
  return { space, rows: [], finalRows: 0 }
}

function isComplete(row: PictureRow | undefined, sources: readonly string[]): boolean {
  return (
    row !== undefined &&
    sources.slice(row.start, row.end).every((src) => src === NO_PICTURE || ratios.has(src))
  )
}
