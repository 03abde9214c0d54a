/** Files copied or cut, waiting to be pasted: for as long as the session and the tab last. */
import { proxy, ref } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import { forgetForTab, readForTab, rememberForTab } from '#ui/lib/tab-storage.ts'
import type { Entry } from '#wire/entry.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { session } from './session.ts'

export interface Clipboard {
  verb: 'copy' | 'cut'
  /** The folder they are in. */
  folder: TreePath
  /** A `ref`, replaced as a whole. */
  entries: readonly Entry[]
  /** The system's clipboard holds their names: files in it are newer than these. */
  isAnnounced: boolean
}

/** As it outlives a reload, with whose it is. */
type Stored = Clipboard & { userId: number }

const KEY = 'filemgr.clipboard'
/** More than these are not worth the room that a tab has for all it remembers. */
const STORED_MAX = 2000
const NOTHING: readonly Entry[] = []

export const clipboard = proxy<Clipboard>({
  verb: 'copy',
  folder: ROOT,
  entries: ref(NOTHING),
  isAnnounced: false,
})

let owner: number | undefined

// The next person to sign in pastes nothing of this one's; the same one goes on where they were.
subscribeKey(session, 'user', (user) => {
  if (user?.id === owner) return
  owner = user?.id
  clipboard.entries = ref(NOTHING)
  if (user) restoreClipboard(user.id)
  else if (session.endedBy === 'left') forgetForTab(KEY)
})

/** Remembers `entries` of `folder` in place of what was there. */
export function putOnClipboard(
  verb: Clipboard['verb'],
  folder: TreePath,
  entries: readonly Entry[],
) {
  Object.assign(clipboard, { verb, folder, entries: ref(entries), isAnnounced: false })
  store()
}

/** The names of what was put there are in the system's clipboard too. */
export function noteAnnounced(entries: readonly Entry[]): void {
  if (clipboard.entries !== entries) return
  clipboard.isAnnounced = true
  store()
}

function store(): void {
  const { verb, folder, entries, isAnnounced } = clipboard
  const userId = session.user?.id
  if (userId === undefined || entries.length > STORED_MAX) forgetForTab(KEY)
  else rememberForTab(KEY, { verb, folder, entries, isAnnounced, userId } satisfies Stored)
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
  forgetForTab(KEY)
}

function restoreClipboard(userId: number): void {
  // Only filemgr writes its keys: a foreign value can only name files that are not there.
  const stored = readForTab(KEY) as Partial<Stored> | null
  if (stored?.userId !== userId || !Array.isArray(stored.entries)) return
  const { verb = 'copy', folder = ROOT, entries, isAnnounced = false } = stored
  Object.assign(clipboard, { verb, folder, entries: ref(entries), isAnnounced })
}
