/** The share that the page shows. */

import { proxy, ref } from 'valtio'
import {
  readShare,
  readSharedBytes,
  type ShareCredentials,
  type SharedEntry,
} from '#ui/api/files/public.ts'
import { assign } from '#ui/lib/assign.ts'
import { sortEntries } from '#ui/lib/entries/sort.ts'
import { toFault } from '#ui/lib/to-fault.ts'
import type { ShareKey, SharePath } from '#ui/lib/urls/share-urls.ts'
import { type Entry, isListing, type Listing } from '#wire/api/entry.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'

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
  siblingsOf: null,
  siblings: NO_ENTRIES,
}

export const publicShare = proxy<PublicShareState>({ ...CLOSED })

/** Loads a path in a share, with the token of an earlier password. */
export async function openPublicShare({ hash, path }: SharePath): Promise<void> {
  if (hash !== publicShare.hash) assign(publicShare, CLOSED, { hash, token: storedToken(hash) })
  assign(publicShare, { path, entry: null, fault: null, status: 'loading' })
  await load({ token: publicShare.token })
}

/** Loads the same path again. */
export function reloadPublicShare(): Promise<void> {
  return openPublicShare(publicShare)
}

/**
 * @returns the content of a file in a share
 * @throws Fault unauthenticated, notFound, forbidden
 */
export function readSharedContent(
  share: ShareKey,
  path: TreePath,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  return readSharedBytes(share, path, signal)
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
