/** Files copied or cut, waiting to be pasted. */
import { proxy, ref } from 'valtio'
import type { Entry } from '#wire/entry.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'

export interface Clipboard {
  verb: 'copy' | 'cut'
  /** The folder they are in. */
  folder: TreePath
  /** A `ref`, replaced as a whole. */
  entries: readonly Entry[]
}

const NOTHING: readonly Entry[] = []

export const clipboard = proxy<Clipboard>({ verb: 'copy', folder: ROOT, entries: ref(NOTHING) })

/** Remembers `entries` of `folder` in place of what was there. */
export function putOnClipboard(
  verb: Clipboard['verb'],
  folder: TreePath,
  entries: readonly Entry[],
) {
  Object.assign(clipboard, { verb, folder, entries: ref(entries) })
}

/** Where things came from, pasting always makes copies beside them (docs/specification.md 4). */
export function pastesInto(
  { entries, verb, folder }: Clipboard,
  here: TreePath,
): 'move' | 'copy' | undefined {
  if (entries.length === 0) return undefined
  return verb === 'cut' && folder !== here ? 'move' : 'copy'
}

export function emptyClipboard(): void {
  clipboard.entries = ref(NOTHING)
}
