import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { takeSlot } from '#ui/lib/image-slots.ts'
import { type Frame, justify, type PictureRow, USUAL_RATIO } from './justify.ts'
import type { Metrics, PlacedRow } from './layout.ts'

/** Width by height of every picture seen on this page, by its address. */
const ratios = new Map<string, number>()

/** What became of a picture; undefined while it is on its way. */
export type Picture = HTMLImageElement | 'failed' | undefined

export interface Gallery {
  rows: readonly PictureRow[]
  /** Rows before this one stay as they are: their pictures may be shown. */
  settled: number
  pictureOf(index: number): Picture
  /** Call with the rows that exist now: their pictures are loaded, and as they arrive rows settle. */
  settle(placed: readonly PlacedRow[]): void
}

/** The rows of one width and one set of pictures. */
interface Course {
  frame: Frame
  rows: readonly PictureRow[]
  settled: number
}

/** A picture near the window. */
interface Load {
  picture: Picture
  giveUp(): void
}

/**
 * Rows of pictures whose proportions are known only once they arrive. A row settles when all of
 * its pictures are here, and only then shows them: what a person sees never moves. Rows above the
 * window settle as they are.
 */
export function useGallery(sources: readonly string[], metrics: Metrics | undefined): Gallery {
  const [version, setVersion] = useState(0)
  const loads = useLoads(useCallback(() => setVersion((old) => old + 1), []))

  // biome-ignore lint/correctness/useExhaustiveDependencies: other pictures begin a new course
  const course = useMemo(() => metrics && beginCourse(metrics), [sources, metrics])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version counts what has arrived
  const rows = useMemo(() => {
    if (!course) return []
    const stay = course.rows.slice(0, course.settled)
    const known = sources.map((src) => ratios.get(src) ?? USUAL_RATIO)
    course.rows = [...stay, ...justify(known, stay.at(-1)?.end ?? 0, course.frame)]
    return course.rows
  }, [course, sources, version])

  function settle(placed: readonly PlacedRow[]): void {
    const near = placed.filter(({ kind }) => kind === 'picture')
    const first = near[0]
    const last = near.at(-1)
    loads.want(first && last ? sources.slice(first.start, last.end) : [])
    if (!course || !first || !last) return
    const before = course.settled
    const isReady = (row: number) => row < first.number || isComplete(rows[row], sources)
    while (course.settled <= last.number && isReady(course.settled)) course.settled += 1
    if (course.settled > before) setVersion((old) => old + 1)
  }

  return {
    rows,
    settled: course?.settled ?? 0,
    pictureOf: (index) => loads.find(sources[index] ?? ''),
    settle,
  }
}

/** Pictures near the window, loaded whatever row they come to lie in; `changed` hears of each frame. */
function useLoads(changed: () => void) {
  const loads = useRef(new Map<string, Load>())
  const frame = useRef(0)

  useEffect(() => {
    const { current } = loads
    return () => {
      cancelAnimationFrame(frame.current)
      for (const { giveUp } of current.values()) giveUp()
      current.clear()
    }
  }, [])

  function want(sources: readonly string[]): void {
    const wanted = new Set(sources)
    for (const [src, { giveUp }] of loads.current) {
      if (wanted.has(src)) continue
      giveUp()
      loads.current.delete(src)
    }
    for (const src of wanted) if (!loads.current.has(src)) begin(src)
  }

  function begin(src: string): void {
    const load: Load = { picture: undefined, giveUp: () => undefined }
    const arrived = (picture: Picture, ratio: number) => {
      load.picture = picture
      if (!ratios.has(src)) ratios.set(src, ratio)
      frame.current ||= requestAnimationFrame(() => {
        frame.current = 0
        changed()
      })
    }
    loads.current.set(src, load)
    load.giveUp = takeSlot(
      src,
      (image) => arrived(image, image.naturalWidth / image.naturalHeight || USUAL_RATIO),
      () => arrived('failed', USUAL_RATIO),
    )
  }

  return { want, find: (src: string) => loads.current.get(src)?.picture }
}

function beginCourse({ width, gutter, pictureGap, pictureRow }: Metrics): Course {
  const frame = { width: width - 2 * gutter, gap: pictureGap, target: pictureRow }
  return { frame, rows: [], settled: 0 }
}

function isComplete(row: PictureRow | undefined, sources: readonly string[]): boolean {
  return row !== undefined && sources.slice(row.start, row.end).every((src) => ratios.has(src))
}
