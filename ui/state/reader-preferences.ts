/** How a person likes to read and write. Remembered in the browser. */
import { proxy, subscribe } from 'valtio'

interface ReaderPreferences {
  /** Long lines of the editor go on below. */
  wrap: boolean
  /** Of the editor's text, in pixels. */
  textPx: number
  /** Markdown is shown as it reads, not as it is written. */
  rendered: boolean
  /** Of a book's text, in percent. */
  bookPercent: number
}

/** The smallest, the largest, and one step between. */
export const TEXT_PX = { min: 10, max: 32, step: 1 } as const
/** The reader's range (docs/api.md 10.2). */
export const BOOK_PERCENT = { min: 100, max: 150, step: 10 } as const

const STORAGE_KEY = 'filemgr.reading'
const DEFAULTS: ReaderPreferences = { wrap: true, textPx: 13, rendered: false, bookPercent: 100 }

export const readerPreferences = proxy<ReaderPreferences>({ ...DEFAULTS, ...remembered() })

subscribe(readerPreferences, () => {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(readerPreferences))
  } catch {
    // Storage is refused: the choice lasts as long as the page.
  }
})

/** One step larger or smaller, within the range. */
export function resizeText(steps: number): void {
  readerPreferences.textPx = within(TEXT_PX, readerPreferences.textPx + steps * TEXT_PX.step)
}

export function resizeBook(steps: number): void {
  readerPreferences.bookPercent = within(
    BOOK_PERCENT,
    readerPreferences.bookPercent + steps * BOOK_PERCENT.step,
  )
}

function within({ min, max }: { min: number; max: number }, wanted: number): number {
  return Math.min(max, Math.max(min, wanted))
}

function remembered(): Partial<ReaderPreferences> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    // Only this module writes the key; a foreign value can only change how text looks.
    return stored as Partial<ReaderPreferences>
  } catch {
    return {}
  }
}
