/**
 * The folder shown follows what others do to it.
 *
 * A browser opens at most six connections to a server over HTTP/1.1, for all of its tabs. So only the visible tab has
 * an event stream, and none while uploads need the connections. When a tab becomes visible again, the folder is
 * reloaded.
 */

import { subscribe } from 'valtio'
import { listenToFolder } from '#ui/api/events.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { TreePath } from '#wire/paths.ts'
import { refreshJobs } from './jobs.ts'
import { listing, reloadListing } from './listing.ts'

export function startFolderEvents(): void {
  started = true
  subscribe(listing, updateStream)
  document.addEventListener('visibilitychange', () => {
    updateStream()
    if (!document.hidden) refreshFolder()
  })
  addEventListener('focus', () => {
    if (stream === undefined) refreshFolder()
  })
}

/** While paused there is no stream: uploads need the connections, and update the listing themselves. */
export function setFolderEventsPaused(paused: boolean): void {
  isPaused = paused
  updateStream()
}

let started = false
let isPaused = false
/** The open event stream, and how to close it. */
let stream: { folder: TreePath; close(): void } | undefined
/** The folder for which the server refused a stream. It is reloaded when the window gets the focus. */
let refused: TreePath | undefined

/** Opens the stream for the folder that is shown, and closes any other. */
function updateStream(): void {
  const wanted = wantedFolder()
  if (stream?.folder === wanted) return
  stream?.close()
  stream = undefined
  if (wanted === undefined) return
  const close = listenToFolder(wanted, {
    changed: refreshSoon,
    jobs: () => void refreshJobs(),
    onOpen() {
      // What happened before the stream was open, at first or after a break, is not sent again.
      refreshSoon()
      void refreshJobs()
    },
    refused() {
      refused = wanted
      updateStream()
    },
  })
  stream = { folder: wanted, close }
}

function wantedFolder(): TreePath | undefined {
  const { path, entry, status } = listing
  const shown = status === 'ready' || status === 'loading'
  if (!started || isPaused || document.hidden || !shown || !entry?.isDir) return undefined
  return path === refused ? undefined : path
}

let refreshTimer: ReturnType<typeof setTimeout> | undefined

function refreshSoon(): void {
  if (refreshTimer !== undefined) return
  refreshTimer = setTimeout(() => {
    refreshTimer = undefined
    refreshFolder()
  }, UI_LIMITS.livePauseMs)
}

/** Reloads the folder that is shown, if there is one. */
export function refreshFolder(): void {
  if (listing.entry?.isDir && listing.status === 'ready') void reloadListing()
}
