import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Frame, justify, type PictureRow, USUAL_RATIO } from './justify.ts'
import type { Metrics, PlacedRow } from './layout.ts'

/** Width by height of every picture seen on this page, by its address. */
const ratios = new Map<string, number>()

export interface Gallery {
  rows: readonly PictureRow[]
  /** Rows before this one stay as they are: their pictures may be shown. */
  settled: number
  /** A picture has arrived; undefined: there is none. */
  learn(src: string, ratio: number | undefined): void
  /** Call with the rows that exist now: they settle as their pictures arrive. */
  settle(placed: readonly PlacedRow[]): void
}

/** The rows of one width and one set of pictures. */
interface Course {
  frame: Frame
  rows: readonly PictureRow[]
  settled: number
}

/**
 * Rows of pictures whose proportions are known only once they arrive. A row settles when all of
 * its pictures are here, and only then shows them: what a person sees never moves. Rows above the
 * window settle as they are.
 */
export function useGallery(sources: readonly string[], metrics: Metrics | undefined): Gallery {
  const [version, setVersion] = useState(0)
  const frame = useRef(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: other pictures begin a new course
  const course = useMemo(() => metrics && beginCourse(metrics), [sources, metrics])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version counts what was learnt
  const rows = useMemo(() => {
    if (!course) return []
    const stay = course.rows.slice(0, course.settled)
    const known = sources.map((src) => ratios.get(src) ?? USUAL_RATIO)
    course.rows = [...stay, ...justify(known, stay.at(-1)?.end ?? 0, course.frame)]
    return course.rows
  }, [course, sources, version])

  const learn = useCallback((src: string, ratio: number | undefined) => {
    if (ratios.has(src)) return
    ratios.set(src, ratio ?? USUAL_RATIO)
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0
      setVersion((old) => old + 1)
    })
  }, [])
  useEffect(() => () => cancelAnimationFrame(frame.current), [])

  const settle = useCallback(
    (placed: readonly PlacedRow[]) => {
      if (!course) return
      const near = placed.filter(({ kind }) => kind === 'picture').map(({ number }) => number)
      const [first = 0] = near
      const last = near.at(-1) ?? -1
      const before = course.settled
      const isReady = (row: number) => row < first || isComplete(rows[row], sources)
      while (course.settled <= last && isReady(course.settled)) course.settled += 1
      if (course.settled > before) setVersion((old) => old + 1)
    },
    [course, rows, sources],
  )

  return { rows, settled: course?.settled ?? 0, learn, settle }
}

function beginCourse({ width, gutter, pictureGap, pictureRow }: Metrics): Course {
  const frame = { width: width - 2 * gutter, gap: pictureGap, target: pictureRow }
  return { frame, rows: [], settled: 0 }
}

function isComplete(row: PictureRow | undefined, sources: readonly string[]): boolean {
  return row !== undefined && sources.slice(row.start, row.end).every((src) => ratios.has(src))
}
