/** The share that the page shows. */

import { proxy, ref } from 'valtio'
import { readShare, type ShareCredentials, type SharedEntry } from '#ui/api/files/public.ts'
import { assign } from '#ui/lib/assign.ts'
import { sortEntries } from '#ui/lib/entries/sort.ts'
import { neighboursOf, type Viewer, viewerOf } from '#ui/lib/entries/viewers.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { wantsText } from '#ui/lib/page/location.ts'
import { toFault } from '#ui/lib/to-fault.ts'
import type { SharePath } from '#ui/lib/urls/share-urls.ts'
import { type Entry, type FileEntry, isListing, type Listing } from '#wire/api/entry.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { sharedUrls } from '../file/file-source.ts'
import { type Visit, viewerState } from '../file/viewer.ts'

export type { SharedEntry }

interface PublicShareState {
  hash: string
  path: TreePath
  /** A `ref`: only replaced as a whole. */
  entry: SharedEntry | null
  /** `locked`: the share has a password, which is not entered yet. */
  status: 'idle' | 'loading' | 'locked' | 'ready' | 'failed'
  /** Why the last password was refused. */
  refusal: 'wrong' | 'tooMany' | undefined
  fault: Fault | null
  /** The name of the shared folder; unknown until some folder of the share was loaded. */
  folderName: string | undefined
  token: string | undefined
  /** The path that was shown before: its link has the focus when the visitor returns to its folder. */
  cameFrom: TreePath | null
  /** The folder that `siblings` belong to. */
  siblingsOf: TreePath | null
  /** Files and folders of the same folder, in its order. A `ref`. */
  siblings: readonly Entry[]
}

const NO_ENTRIES: readonly Entry[] = ref([])

const CLOSED: PublicShareState = {
  hash: '',
  path: ROOT,
  entry: null,
  status: 'idle',
  refusal: undefined,
  fault: null,
  folderName: undefined,
  token: undefined,
  cameFrom: null,
  siblingsOf: null,
  siblings: NO_ENTRIES,
}

export const publicShare = proxy<PublicShareState>({ ...CLOSED })

/** Loads a path in a share, with the token of an earlier password. */
export async function openPublicShare({ hash, path }: SharePath): Promise<void> {
  if (hash !== publicShare.hash) assign(publicShare, CLOSED, { hash, token: storedToken(hash) })
  const cameFrom = path === publicShare.path ? null : publicShare.path
  assign(publicShare, { path, cameFrom, entry: null, fault: null, status: 'loading' })
  updateVisit()
  await load({ token: publicShare.token })
}

/** @returns the file that the page shows; undefined for a folder. Its path is that in the share, also of a single file. */
export function sharedFileOf(entry: SharedEntry): FileEntry | undefined {
  if (isListing(entry)) return undefined
  return entry.path === '' ? { ...entry, path: ROOT } : entry
}

/** The viewer of a file in a share. A text is only shown. */
export function sharedViewerOf(file: FileEntry): Viewer {
  const viewer = viewerOf(file, { mayRead: true, asText: wantsText() })
  if (viewer !== 'editor') return viewer
  return file.size > ON_DEMAND_LIMITS.compareMaxBytes ? 'card' : 'text'
}

/**
 * Tells the viewers and the actions what the visitor sees. The files before and after are those of the requested path, not
 * of the shown file, so that a second key press counts while the first file is loading.
 */
export function updateVisit(): void {
  const { hash, token, path, entry, siblings } = publicShare
  // While the next file loads, its folder tells enough of it.
  const file = entry ? sharedFileOf(entry) : sharedSibling()
  const share = { hash, token }
  assign(viewerState, {
    siblings,
    visit: ref<Visit>({
      share,
      urls: sharedUrls(share),
      page: file ? 'file' : 'elsewhere',
      path,
      targets: file ? [file] : [],
      viewer: file && sharedViewerOf(file),
      ...neighboursOf(siblings, path, isShown),
      isSignedIn: false,
      canSignOut: false,
      canUndo: false,
      canRedo: false,
      may: (action) => action === 'download',
    }),
  })
}

/** @returns the requested file, as its folder lists it */
export function sharedSibling(): FileEntry | undefined {
  return publicShare.siblings.find(({ path, isDir }) => path === publicShare.path && !isDir)
}

/** Whether the previous and next buttons show an entry: every file, also texts, but no broken symlinks. */
function isShown({ type, isDir }: Pick<Entry, 'type' | 'isDir'>): boolean {
  return !isDir && type !== 'invalid_link'
}

/** Clears the store, because another kind of page is shown. */
export function closePublicShare(): void {
  loading?.abort()
  assign(publicShare, CLOSED)
  viewerState.visit = null
}

/** Moves the focus to the link of the file or folder from which the visitor returned; to be used as its `ref`. */
export function returnFocus(link: HTMLElement | null, path: TreePath): void {
  if (!link || publicShare.cameFrom !== path) return
  publicShare.cameFrom = null
  link.focus()
}

/** Loads the same path again. */
export function reloadPublicShare(): Promise<void> {
  return openPublicShare(publicShare)
}

/** Tries a password. After a failure the store holds the reason. */
export async function unlockPublicShare(password: string): Promise<void> {
  publicShare.refusal = undefined
  await load({ password })
}

let loading: AbortController | undefined

async function load(credentials: ShareCredentials): Promise<void> {
  loading?.abort()
  const current = new AbortController()
  loading = current
  try {
    const entry = await readShare(publicShare.hash, publicShare.path, credentials, current.signal)
    if (loading === current) show(entry)
  } catch (error) {
    if (loading === current && !isFault(error, 'aborted')) fail(error, credentials)
  }
}

function show(entry: SharedEntry): void {
  if (entry.token !== undefined) storeToken(publicShare.hash, entry.token)
  assign(publicShare, {
    entry: ref(entry),
    status: 'ready',
    refusal: undefined,
    fault: null,
    token: entry.token,
    // The server returns the name of the shared folder for every folder in the share.
    folderName: isListing(entry) ? entry.name : publicShare.folderName,
  })
  updateVisit()
  if (isListing(entry)) setSiblings(publicShare.path, entry)
  // If the share is a single file, it has no siblings.
  else if (entry.path !== '') void loadSiblings(parentPath(publicShare.path))
}

/** Loads the siblings of the shown file. If the folder cannot be listed, there are none. */
async function loadSiblings(folder: TreePath): Promise<void> {
  if (publicShare.siblingsOf === folder) return
  const { hash, token } = publicShare
  const listed = await readShare(hash, folder, { token }).catch(() => undefined)
  const isHere = publicShare.hash === hash && parentPath(publicShare.path) === folder
  if (!isHere || !listed || !isListing(listed)) return
  setSiblings(folder, listed)
  publicShare.folderName ??= listed.name
}

function setSiblings(folder: TreePath, { items, sorting }: Listing): void {
  assign(publicShare, { siblingsOf: folder, siblings: ref(sortEntries(items, sorting)) })
  updateVisit()
}

/**
 * Stores the reason of a failure. 401 asks for the password, also if a stored token is no longer valid
 * (docs/specification.md 8).
 */
function fail(error: unknown, { password }: ShareCredentials): void {
  const triedPassword = password !== undefined
  if (isFault(error, 'unauthenticated')) {
    assign(publicShare, {
      status: 'locked',
      token: undefined,
      refusal: triedPassword ? 'wrong' : undefined,
    })
  } else if (triedPassword && isFault(error, 'tooMany')) {
    publicShare.refusal = 'tooMany'
  } else {
    assign(publicShare, { status: 'failed', fault: ref(toFault(error)) })
  }
}

const tokenKey = (hash: string) => `share:${hash}`

/** Stores the token for this tab, so that a reload does not ask again. */
function storeToken(hash: string, token: string): void {
  try {
    sessionStorage.setItem(tokenKey(hash), token)
  } catch {
    // If storage is refused, the store keeps the token as long as the page lives.
  }
}

function storedToken(hash: string): string | undefined {
  try {
    return sessionStorage.getItem(tokenKey(hash)) ?? undefined
  } catch {
    return undefined
  }
}
