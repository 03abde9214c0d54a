/**
 * Live updates: the shown folder and the folder tree follow changes by other users, and every page follows jobs.
 *
 * A browser opens at most six connections to a server over HTTP/1.1, for all of its tabs. So only the visible tab has
 * an event stream, and none while uploads need the connections. When a tab becomes visible again, the folder is
 * reloaded.
 */

import { subscribe } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import { listenToFolder } from '#ui/api/events.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { FILES, withoutBase } from '#ui/lib/location.ts'
import { LIMITS } from '#wire/limits.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { followBranch } from './folder-tree.ts'
import { refreshJobs } from './jobs.ts'
import { listing, reloadListing } from './listing.ts'
import { renewSession, session } from './session.ts'

/** Starts the live updates. Called once, at start-up. */
export function startFolderEvents(): void {
  started = true
  subscribe(listing, updateStream)
  subscribeKey(session, 'user', () => {
    refused = undefined
    updateStream()
  })
  document.addEventListener('visibilitychange', () => {
    updateStream()
    if (!document.hidden) refreshFolder()
  })
  addEventListener('focus', () => {
    if (stream === undefined) refreshFolder()
  })
}

/**
 * Pauses or resumes the stream. While it is paused, uploads use the connections and update the listing themselves,
 * and jobs are polled.
 */
export function setFolderEventsPaused(paused: boolean): void {
  isPaused = paused
  clearInterval(jobsTimer)
  if (paused) jobsTimer = setInterval(() => void refreshJobs(), UI_LIMITS.uploadingPollMs)
  updateStream()
}

/** Whether `startFolderEvents` was called. */
let started = false
let isPaused = false
let jobsTimer: ReturnType<typeof setInterval> | undefined
/** The open event stream, with a function that closes it. */
let stream: { folder: TreePath; close(): void } | undefined
/** The folder for which the server refused a stream: no further one is opened for it. */
let refused: TreePath | undefined

/** Opens the stream for the folder to follow, and closes the stream for any other folder. */
function updateStream(): void {
  const folder = folderToFollow()
  if (stream?.folder === folder) return
  stream?.close()
  stream = undefined
  if (folder === undefined) return
  let isOpen = false
  const close = listenToFolder(folder, branchesTo(folder), {
    onChange: refreshSoon,
    onAlso: ({ path, version }) => void followBranch(path, version),
    onJobs: () => void refreshJobs(),
    onOpen() {
      isOpen = true
      // The server does not resend events from before the stream was open, at first or after a reconnect.
      refreshSoon()
      void refreshJobs()
    },
    onRefused() {
      refused = folder
      updateStream()
      // The server ended an open stream: the session may have ended too.
      if (isOpen) void renewSession()
    },
  })
  stream = { folder, close }
}

/** The folders whose subfolders the folder tree shows on the way to `folder`: the nearest ones, and the root. */
function branchesTo(folder: TreePath): TreePath[] {
  const folders: TreePath[] = []
  for (let above = folder; above !== ROOT; above = parentPath(above)) folders.push(above)
  return [...folders.slice(0, LIMITS.alsoWatchedMax - 1), ROOT]
}

/**
 * @returns the folder whose events the page needs: the shown one, or the parent folder of the shown file. For other
 * pages it is the root, because the stream reports jobs too. Undefined if no stream may be open.
 */
function folderToFollow(): TreePath | undefined {
  if (!started || isPaused || document.hidden || !session.user) return undefined
  const { path, entry, status } = listing
  if (status === 'idle') return isOtherPage() && refused !== ROOT ? ROOT : undefined
  if (status === 'failed' || !entry) return undefined
  const folder = entry.isDir ? path : parentPath(path)
  return folder === refused ? undefined : folder
}

/** Whether the page shows neither a folder nor a file. The status alone is not enough: it is also idle at first. */
function isOtherPage(): boolean {
  return withoutBase(location.pathname)?.startsWith(FILES) !== true
}

let refreshTimer: ReturnType<typeof setTimeout> | undefined

/** Reloads the folder once after a short time, however many events arrive until then. */
function refreshSoon(): void {
  if (refreshTimer !== undefined) return
  refreshTimer = setTimeout(() => {
    refreshTimer = undefined
    refreshFolder()
  }, UI_LIMITS.liveReloadMs)
}

/** Reloads the shown folder, if there is one. */
export function refreshFolder(): void {
  if (listing.entry?.isDir && listing.status === 'ready') void reloadListing()
}
