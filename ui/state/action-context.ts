/** Everything that decides what a person can do right now, in one value. */
import { useSnapshot } from 'valtio'
import { wantsText } from '#ui/lib/location.ts'
import { TOUCH, WIDE } from '#ui/lib/media.ts'
import { neighboursOf, type Viewer, viewerOf } from '#ui/lib/viewers.ts'
import { type Entry, type FileEntry, isListing, type Listing } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { type Action, permits } from '#wire/permissions.ts'
import type { ViewMode } from '#wire/user.ts'
import { type Clipboard, clipboard, pastesInto } from './clipboard.ts'
import { layout } from './layout.ts'
import { itemsOf, listing } from './listing.ts'
import { neighboursInLook, quickLook } from './quick-look.ts'
import { readerPreferences } from './reader-preferences.ts'
import { selectedOf, selection } from './selection.ts'
import { canSignOut, session } from './session.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { undoable } from './undo.ts'
import { viewerState, type Zoomer } from './viewer.ts'

export interface ActionContext {
  /** What the page shows: a folder, one file, or neither (loading, failed, signed out). */
  page: 'folder' | 'file' | 'elsewhere'
  path: TreePath
  /** The folder's items. */
  items: readonly Entry[]
  /** Whether it has any. Of a folder on its way it is assumed, so that nothing moves when it is there. */
  hasItems: boolean
  /** The selected items; of a file shown, the file. */
  targets: readonly Entry[]
  /** Every click selects one more. */
  multiple: boolean
  /** How folders are shown. */
  viewMode: ViewMode
  /** What the names of the items shown hold; null while the filter is closed. */
  filter: string | null
  /** Whether the details panel is open beside the page, and whether there is room for it. */
  hasDetails: boolean
  hasRoom: boolean
  /** Whether words of the page are marked. */
  hasMarkedText: boolean
  /** A finger leads it: there is a camera, and nothing hovers. */
  isTouch: boolean
  /** What shows the file; undefined where none is shown. */
  viewer?: Viewer | undefined
  /** The files that are looked at before and after it. */
  previous?: Entry | undefined
  next?: Entry | undefined
  /** What zooms the picture; undefined where none is shown. */
  zoomer?: Zoomer | undefined
  /** Pictures: whether a preview stands for the original, and whether the original is shown. */
  hasPreview: boolean
  inFull: boolean
  /** Text: whether long lines go on below, and whether Markdown is shown as it reads. */
  wraps: boolean
  isRendered: boolean
  /** What waits to be pasted. */
  clipboard: Clipboard
  /** What pasting here would do with it; undefined when there is nothing. */
  pastes?: 'move' | 'copy' | undefined
  /** It is looked at over the listing, and not on a page of its own. */
  isLooking: boolean
  canUndo: boolean
  canRedo: boolean
  /** Whether somebody is signed in, and whether signing out would last. */
  isSignedIn: boolean
  canSignOut: boolean
  /** Whether this server runs commands at all, and whether the shell is open. */
  runsCommands: boolean
  hasShell: boolean
  /** Whether the person may act so at all, on a storage that can be changed. */
  may(action: Action): boolean
}

/** The state that a context is made of, as it is at this moment. */
const STATE = {
  session,
  settings,
  listing,
  selection,
  clipboard,
  viewer: viewerState,
  reader: readerPreferences,
  shell,
  layout,
  undoable,
}

/** The context of this moment, for whoever acts. */
export function actionContext(): ActionContext {
  return withLook(contextOf(STATE, pageNow()), quickLook)
}

/** That of the page for a component, which then follows every change of what the context is made of. */
export function useActionContext(): ActionContext {
  const snapshots = {
    session: useSnapshot(session),
    settings: useSnapshot(settings),
    listing: useSnapshot(listing),
    selection: useSnapshot(selection),
    clipboard: useSnapshot(clipboard),
    viewer: useSnapshot(viewerState),
    reader: useSnapshot(readerPreferences),
    shell: useSnapshot(shell),
    layout: useSnapshot(layout),
    undoable: useSnapshot(undoable),
  }
  // A snapshot is the same value, of which nothing may be written.
  return contextOf(snapshots as typeof STATE, pageNow())
}

/** For what shows a file: that of the page, or the one that is looked at over the listing. */
export function useViewerContext(): ActionContext {
  const look = useSnapshot(quickLook)
  return withLook(useActionContext(), look as typeof quickLook)
}

/** What is looked at over the listing is what one acts on. */
function withLook(context: ActionContext, look: typeof quickLook): ActionContext {
  const { entry } = look
  if (!entry) return context
  const viewer = viewerOf(entry, { mayRead: context.may('download') })
  return {
    ...context,
    ...neighboursInLook(look),
    page: 'file',
    path: entry.path,
    targets: [entry],
    viewer: entry.isDir ? 'card' : viewer,
    isLooking: true,
  }
}

/** What only the browser knows. */
interface PageNow {
  /** The address asks for the file as text. */
  asText: boolean
  hasRoom: boolean
  hasMarkedText: boolean
  isTouch: boolean
}

function pageNow(): PageNow {
  return {
    asText: wantsText(),
    hasRoom: matchMedia(WIDE).matches,
    hasMarkedText: getSelection()?.toString() !== '',
    isTouch: matchMedia(TOUCH).matches,
  }
}

/** The context that follows from a state, and from nothing else. */
function contextOf(state: typeof STATE, now: PageNow): ActionContext {
  const { session, settings, listing, selection, clipboard, viewer, reader, undoable } = state
  const { entry, path, status, filter } = listing
  const shown = status === 'failed' ? null : entry
  const items = itemsOf(shown)
  const file = shown && !isListing(shown) ? shown : null
  const isTurning = status === 'loading' && path === viewer.turnedTo
  const may = mayOf(state)
  return {
    page: pageOf(state, shown),
    path,
    items,
    hasItems: shown ? items.length > 0 : status === 'loading',
    targets: file ? [file] : selectedOf(items, selection.paths),
    multiple: selection.multiple,
    viewMode: session.user?.viewMode ?? 'list',
    filter,
    hasDetails: state.layout.detailsOpen,
    hasRoom: now.hasRoom,
    hasMarkedText: now.hasMarkedText,
    isTouch: now.isTouch,
    viewer: file ? viewerOf(file, { mayRead: may('download'), asText: now.asText }) : undefined,
    ...((file || isTurning) && neighboursOf(viewer.siblings, path)),
    zoomer: viewer.zoomer ?? undefined,
    hasPreview: viewer.hasPreview,
    inFull: viewer.inFull,
    wraps: reader.wrap,
    isRendered: reader.rendered,
    clipboard,
    pastes: pastesInto(clipboard, path),
    isLooking: false,
    canUndo: undoable.past.length > 0,
    canRedo: undoable.future.length > 0,
    isSignedIn: session.user !== null,
    canSignOut: session.user !== null && canSignOut(settings),
    runsCommands: settings.EnableExec,
    hasShell: state.shell.open,
    may,
  }
}

const CHANGING: readonly Action[] = ['create', 'overwrite', 'modify', 'delete', 'copy', 'rename']

function mayOf({ session, settings }: typeof STATE): ActionContext['may'] {
  const [perm, readOnly] = [session.user?.perm, settings.ReadOnly]
  return (action) => {
    if (!perm || (readOnly && CHANGING.includes(action))) return false
    return permits(perm, action)
  }
}

/** A folder on its way counts as one, so that its actions do not vanish for a moment. */
function pageOf(
  { session, listing }: typeof STATE,
  entry: Listing | FileEntry | null,
): ActionContext['page'] {
  if (!session.user || listing.status === 'idle' || listing.status === 'failed') return 'elsewhere'
  if (!entry) return listing.asFolder ? 'folder' : 'elsewhere'
  return isListing(entry) ? 'folder' : 'file'
}
