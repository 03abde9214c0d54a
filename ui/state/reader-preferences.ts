/** How a person likes to read and write. Remembered in the browser. */
import { proxy, subscribe } from 'valtio'
import { remember, rememberedChoices } from '#ui/lib/remembered.ts'

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
const TEXT_PX = { min: 10, max: 32, step: 1 } as const
/** The reader's range (docs/api.md 10.2). */
export const BOOK_PERCENT = { min: 100, max: 150, step: 10 } as const

const STORAGE_KEY = 'filemgr.reading'
const DEFAULTS: ReaderPreferences = { wrap: true, textPx: 13, rendered: false, bookPercent: 100 }

export const readerPreferences = proxy<ReaderPreferences>(rememberedChoices(STORAGE_KEY, DEFAULTS))

subscribe(readerPreferences, () => remember(STORAGE_KEY, readerPreferences))

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
