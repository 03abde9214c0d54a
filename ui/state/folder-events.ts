/**
 * The folder shown follows what others do to it.
 *
 * A browser keeps six connections to a server over HTTP/1.1, for all of its tabs: so only the tab that
 * is looked at holds a line, and none while uploads need them all. Coming back looks anew.
 */

import { subscribe } from 'valtio'
import { listenToFolder } from '#ui/api/events.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { TreePath } from '#wire/paths.ts'
import { refreshJobs } from './jobs.ts'
import { listing, reloadListing } from './listing.ts'

export function startFolderEvents(): void {
  started = true
  subscribe(listing, tune)
  document.addEventListener('visibilitychange', () => {
    tune()
    if (!document.hidden) refreshFolder()
  })
  addEventListener('focus', () => {
    if (line === undefined) refreshFolder()
  })
}

/** While `busy`, no line is held: something else needs the connections, and tells what it changes. */
export function pauseFolderEvents(busy: boolean): void {
  held = busy
  tune()
}

let started = false
let held = false
/** What is listened to, and how to stop. */
let line: { folder: TreePath; close(): void } | undefined
/** Where the server refused to tell. Focus looks anew. */
let refused: TreePath | undefined

/** Holds the line that is wanted now, and no other. */
function tune(): void {
  const wanted = wantedFolder()
  if (line?.folder === wanted) return
  line?.close()
  line = undefined
  if (wanted === undefined) return
  const close = listenToFolder(wanted, {
    changed: refreshSoon,
    jobs: () => void refreshJobs(),
    onOpen() {
      // What happened before the line was open, at first or after a break, is not told again.
      refreshSoon()
      void refreshJobs()
    },
    refused() {
      refused = wanted
      tune()
    },
  })
  line = { folder: wanted, close }
}

function wantedFolder(): TreePath | undefined {
  const { path, entry, status } = listing
  const shown = status === 'ready' || status === 'loading'
  if (!started || held || document.hidden || !shown || !entry?.isDir) return undefined
  return path === refused ? undefined : path
}

let _timer: ReturnType<typeof setTimeout> | undefined

function refreshSoon(): void {
  _timer ??= setTimeout(() => {
    _timer = undefined
    refreshFolder()
  }, UI_LIMITS.livePauseMs)
}

/** Looks at the folder shown anew, if one is. */
export function refreshFolder(): void {
  if (listing.entry?.isDir && listing.status === 'ready') void reloadListing()
}
