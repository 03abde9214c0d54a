/**
 * What strangers do is counted and not written line by line: a flood of refusals is two lines of the
 * record for each address and a while, and the second says how many there were.
 */
import type { NewAct } from '#server/db/audit.ts'

/** How long acts of one kind are counted in one line. */
export const WINDOW_MS = 10 * 60_000
/** Of so many kinds at a time; of the one that began first no more is counted then. */
const KINDS_MAX = 10_000

interface Window {
  beganMs: number
  /** The last act that was counted. */
  last: NewAct
  /** How many were counted and are not written. */
  more: number
}

export class RefusalCounter {
  /** By kind; the window that began first comes first. */
  readonly #windows = new Map<string, Window>()

  /**
   * Takes an act of nobody who is signed in.
   *
   * @param from whose it is: an address, or what stands for several
   * @returns the lines to be written now: the first act of its kind, and the counts of windows that
   *   are over
   */
  take(act: NewAct, from: string): NewAct[] {
    const lines = this.over(act.atMs)
    const kind = kindOf(act, from)
    const window = this.#windows.get(kind)
    if (window) {
      window.more += 1
      window.last = act
      return lines
    }
    this.#windows.set(kind, { beganMs: act.atMs, last: act, more: 0 })
    const [first] = this.#windows
    if (first && this.#windows.size > KINDS_MAX) {
      this.#windows.delete(first[0])
      lines.push(...countsOf([first[1]]))
    }
    return [...lines, act]
  }

  /** The counts of windows that are over. */
  over(nowMs: number): NewAct[] {
    const ended: Window[] = []
    for (const [kind, window] of this.#windows) {
      if (nowMs - window.beganMs < WINDOW_MS) break
      this.#windows.delete(kind)
      ended.push(window)
    }
    return countsOf(ended)
  }

  /** What was counted so far, also in windows that go on. */
  soFar(): NewAct[] {
    return countsOf([...this.#windows.values()])
  }
}

/** The accounts and links that exist are the operator's; names and paths that do not are anybody's. */
function kindOf({ action, status, userId, share, path }: NewAct, from: string): string {
  const what = status < 400 ? `${share}\0${path}` : userId
  return `${from}\0${action}\0${status}\0${what}`
}

function countsOf(windows: readonly Window[]): NewAct[] {
  return windows.flatMap((window) => {
    const { last, more } = window
    window.more = 0
    return more > 0 ? [{ ...last, times: more }] : []
  })
}
