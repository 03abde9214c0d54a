/** Files that were copied or cut. Every tab of the browser can paste them for a day, or until the user signs out. */

import { proxy, ref } from 'valtio'
import { assign } from '#ui/lib/assign.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { remember, remembered } from '#ui/lib/remembered.ts'
import type { Entry } from '#wire/api/entry.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { onUserChange, session } from '../session/session.ts'

export interface Clipboard {
  verb: 'copy' | 'cut'
  /** The folder that the entries are in. */
  folder: TreePath
  /** A `ref`, replaced as a whole. */
  entries: readonly Entry[]
  /**
   * Whether the names of the entries were also put on the system clipboard. If so, files that the system clipboard
   * contains were copied later, and a paste uploads them.
   */
  isOnSystemClipboard: boolean
}

/** The stored form: with the id of the user and the time of storing, in milliseconds since 1970. */
type Stored = Clipboard & { userId: number; atMs: number }

const KEY = 'filemgr.clipboard'
const NOTHING: readonly Entry[] = []

export const clipboard = proxy<Clipboard>({
  verb: 'copy',
  folder: ROOT,
  entries: ref(NOTHING),
  isOnSystemClipboard: false,
})

let owner: number | undefined

// The next user must not paste the entries of this one. The same user keeps them.
onUserChange((user) => {
  owner = user?.id
  clipboard.entries = ref(NOTHING)
  if (user) restoreClipboard(user.id)
  else if (session.endedBy === 'left') remember(KEY, undefined)
})

/** Follows changes that other tabs make to the clipboard. */
export function watchClipboard(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key !== KEY) return
    clipboard.entries = ref(NOTHING)
    if (owner !== undefined) restoreClipboard(owner)
  })
}

/** Replaces the clipboard with `entries` of `folder`. */
export function putOnClipboard(
  verb: Clipboard['verb'],
  folder: TreePath,
  entries: readonly Entry[],
) {
  assign(clipboard, { verb, folder, entries: ref(entries), isOnSystemClipboard: false })
  store()
}

/** Records that the names of these entries are also on the system clipboard. */
export function markOnSystemClipboard(entries: readonly Entry[]): void {
  if (clipboard.entries !== entries) return
  clipboard.isOnSystemClipboard = true
  store()
}

function store(): void {
  const { verb, folder, entries, isOnSystemClipboard } = clipboard
  const userId = session.user?.id
  const isKept = userId !== undefined && entries.length <= UI_LIMITS.clipboardEntriesMax
  const stored = { verb, folder, entries, isOnSystemClipboard, userId, atMs: Date.now() }
  // If the new entries cannot be stored, the old ones must not be pasted in their place.
  if (!isKept || !remember(KEY, stored)) remember(KEY, undefined)
}

/**
 * In the folder that the entries come from, a paste always copies (docs/specification.md 4).
 *
 * @returns what a paste in the folder `here` does; undefined if the clipboard is empty
 */
export function pasteVerbIn(
  { entries, verb, folder }: Clipboard,
  here: TreePath,
): 'move' | 'copy' | undefined {
  if (entries.length === 0) return undefined
  return verb === 'cut' && folder !== here ? 'move' : 'copy'
}

export function emptyClipboard(): void {
  clipboard.entries = ref(NOTHING)
  remember(KEY, undefined)
}

function restoreClipboard(userId: number): void {
  // Only filemgr writes this key. An invalid value can only name files that do not exist.
  const stored = remembered(KEY) as Partial<Stored> | null
  if (stored?.userId !== userId || !Array.isArray(stored.entries)) return
  const { verb = 'copy', folder = ROOT, entries, isOnSystemClipboard = false, atMs = 0 } = stored
  if (Date.now() - atMs > UI_LIMITS.clipboardMs) return
  assign(clipboard, { verb, folder, entries: ref(entries), isOnSystemClipboard })
}
