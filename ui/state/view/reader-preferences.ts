/** How the editor and the viewers of books and films show text. Stored in the browser. */
import { proxy, subscribe } from 'valtio'
import { remember, rememberedChoices } from '#ui/lib/remembered.ts'

interface ReaderPreferences {
  /** Whether the editor wraps long lines. */
  wrap: boolean
  /** The font size of the editor, in pixels. */
  textPx: number
  /** Whether Markdown is rendered instead of shown as source. */
  rendered: boolean
  /** Whether the facts of the camera are shown over pictures. */
  pictureFacts: boolean
  /** The font size of a book, in percent. */
  bookPercent: number
  /** The language of the subtitles that were chosen last, as a tag, `und` if it is not known; empty if none are shown. */
  subtitles: string
}

/** The range of the editor's font size, in pixels. */
const TEXT_PX = { min: 10, max: 32, step: 1 } as const
/** The range of the font size of a book, in percent (docs/api.md 10.2). */
export const BOOK_PERCENT = { min: 100, max: 150, step: 10 } as const

const STORAGE_KEY = 'filemgr.reading'
const DEFAULTS: ReaderPreferences = {
  wrap: true,
  textPx: 13,
  rendered: true,
  pictureFacts: false,
  bookPercent: 100,
  subtitles: '',
}

export const readerPreferences = proxy<ReaderPreferences>(rememberedChoices(STORAGE_KEY, DEFAULTS))

subscribe(readerPreferences, () => remember(STORAGE_KEY, readerPreferences))

/** Changes the font size of the editor by `steps` steps, within its range. */
export function resizeText(steps: number): void {
  readerPreferences.textPx = within(TEXT_PX, readerPreferences.textPx + steps * TEXT_PX.step)
}

/** Changes the font size of a book by `steps` steps, within its range. */
export function resizeBook(steps: number): void {
  readerPreferences.bookPercent = within(
    BOOK_PERCENT,
    readerPreferences.bookPercent + steps * BOOK_PERCENT.step,
  )
}

function within({ min, max }: { min: number; max: number }, value: number): number {
  return Math.min(max, Math.max(min, value))
}
