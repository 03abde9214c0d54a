/** The encodings that the user has chosen for texts, by their paths, or by share and path. The browser stores the last ones. */
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { remember, rememberedRows } from '#ui/lib/remembered.ts'
import { TEXT_ENCODINGS } from '#ui/lib/text/encodings.ts'
import { session } from '../session/session.ts'

interface Choice {
  /** Null for a visitor of a share. */
  userId: number | null
  path: string
  encoding: string
}

const STORAGE_KEY = 'filemgr.encodings'

export function chosenEncoding(path: string): string | undefined {
  return choices().find((choice) => isOf(choice, path))?.encoding
}

/** @param encoding undefined if it is detected again */
export function rememberEncoding(path: string, encoding: string | undefined): void {
  const userId = session.user?.id ?? null
  const others = choices().filter((choice) => !isOf(choice, path))
  remember(
    STORAGE_KEY,
    [...others, ...(encoding === undefined ? [] : [{ userId, path, encoding }])].slice(
      -UI_LIMITS.rememberedEncodingsMax,
    ),
  )
}

function isOf({ userId, path: chosen }: Choice, path: string): boolean {
  return chosen === path && userId === (session.user?.id ?? null)
}

function choices(): Choice[] {
  return rememberedRows(STORAGE_KEY, isChoice)
}

function isChoice(row: unknown): row is Choice {
  if (typeof row !== 'object' || row === null) return false
  const { userId, path, encoding }: Partial<Record<keyof Choice, unknown>> = row
  const isUser = userId === null || typeof userId === 'number'
  const isKnown = TEXT_ENCODINGS.some((known) => known === encoding)
  return isUser && typeof path === 'string' && isKnown
}
