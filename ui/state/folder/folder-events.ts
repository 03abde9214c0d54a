/**
 * Live updates: the shown folder and the folder tree follow changes by other users, and every page follows jobs.
 *
 * A browser opens at most six connections to a server over HTTP/1.1, for all of its tabs. So only the visible tab has
 * an event stream, and none while uploads need the connections. When a tab becomes visible again, the folder is
 * reloaded.
 */

import { subscribe } from 'valtio'
import { subscribeKey } from 'valtio/utils'
import { listenToFolder } from '#ui/api/client/events.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { FILES, withoutBase } from '#ui/lib/page/location.ts'
import { LIMITS } from '#wire/limits.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { refreshJobs } from '../changes/jobs.ts'
import { toastLeftOut } from '../messages/left-out.ts'
import { renewSession, session } from '../session/session.ts'
import { branchesNear, folderTree, followBranch } from './folder-tree.ts'
import { listing, reloadListing } from './listing.ts'

/** Starts the live updates. Called once, at start-up. */
export function startFolderEvents(): void {
  hasStarted = true
  subscribe(listing, updateStream)
  subscribe(folderTree, updateBranchesSoon)
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
export function setFolderEventsPaused(shouldPause: boolean): void {
  isPaused = shouldPause
  clearInterval(jobsTimer)
  if (shouldPause) jobsTimer = setInterval(() => void refreshJobs(), UI_LIMITS.uploadingPollMs)
  updateStream()
}

/** Whether `startFolderEvents` was called. */
let hasStarted = false
let isPaused = false
let jobsTimer: ReturnType<typeof setInterval> | undefined
/** The open event stream, with the branches of the folder tree that it reports. */
let stream: { folder: TreePath; branches: readonly TreePath[]; close(): void } | undefined
/** The folder whose stream was answered with an error: no further one is opened for it, at least until `retryTimer`. */
let refused: TreePath | undefined
let retryTimer: ReturnType<typeof setTimeout> | undefined
/** The next pause. It grows with each error, and an open stream resets it. */
let retryMs: number = UI_LIMITS.eventRetryMinMs

/** Opens the stream for the folder to follow, and closes the stream for any other folder. */
function updateStream(): void {
  const folder = folderToFollow()
  if (stream?.folder === folder) return
  if (folder !== undefined) openStream(folder)
  else {
    stream?.close()
    stream = undefined
  }
}

/** Opens a stream in place of the current one. */
function openStream(folder: TreePath): void {
  stream?.close()
  let isOpen = false
  const branches = branchesNear(folder, LIMITS.alsoWatchedMax)
  const close = listenToFolder(folder, branches, {
    onChange: refreshSoon,
    onAlso: ({ path, version }) => void followBranch(path, version),
    onJobs: () => void refreshJobs(),
    onLeftOut: toastLeftOut,
    onOpen() {
      isOpen = true
      retryMs = UI_LIMITS.eventRetryMinMs
      // The server does not resend events from before the stream was open, at first or after a reconnect.
      refreshSoon()
      void refreshJobs()
    },
    onClosed(isFinal) {
      refused = folder
      updateStream()
      clearTimeout(retryTimer)
      if (!isFinal) retryLater()
      // The server ended an open stream: the session may have ended too.
      else if (isOpen) void renewSession()
    },
  })
  stream = { folder, branches, close }
}

/** Opens the stream again after a pause. The error of a proxy passes, for example when the server has started again. */
function retryLater(): void {
  retryTimer = setTimeout(() => {
    refused = undefined
    updateStream()
  }, retryMs)
  retryMs = Math.min(2 * retryMs, UI_LIMITS.eventRetryMaxMs)
}

let branchTimer: ReturnType<typeof setTimeout> | undefined

/** Opens the stream again after a short time if it lacks branches of the folder tree that were opened. */
function updateBranchesSoon(): void {
  if (stream === undefined || branchTimer !== undefined) return
  branchTimer = setTimeout(() => {
    branchTimer = undefined
    updateBranches()
  }, UI_LIMITS.treeWatchMs)
}

function updateBranches(): void {
  if (stream === undefined) return
  const { folder, branches } = stream
  const wanted = branchesNear(folder, LIMITS.alsoWatchedMax)
  // The server may no longer report a branch that was removed: if it is visible again, a new stream is needed.
  stream.branches = branches.filter((path) => wanted.includes(path))
  if (stream.branches.length < wanted.length) openStream(folder)
}

/**
 * @returns the folder whose events the page needs: the shown one, or the parent folder of the shown file. For other
 * pages it is the root, because the stream reports jobs too. Undefined if no stream may be open.
 */
function folderToFollow(): TreePath | undefined {
  if (!hasStarted || isPaused || document.hidden || !session.user) return undefined
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
