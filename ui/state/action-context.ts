/** The action context: the values that decide which actions are available at this moment. */
import { useSnapshot } from 'valtio'
import { type Neighbours, neighboursOf, type Viewer, viewerOf } from '#ui/lib/entries/viewers.ts'
import { wantsText } from '#ui/lib/page/location.ts'
import { mediaOf, TOUCH, WIDE } from '#ui/lib/page/media.ts'
import { type FileUrls, OWN_URLS } from '#ui/lib/urls/file-urls.ts'
import type { ShareKey } from '#ui/lib/urls/share-urls.ts'
import { type Entry, type FileEntry, isListing, type Listing } from '#wire/api/entry.ts'
import type { ViewMode } from '#wire/api/user.ts'
import type { TreePath } from '#wire/paths.ts'
import { type PolicyAction, permits } from '#wire/permissions.ts'
import { undoable } from './changes/undo.ts'
import { quickLook, quickLookNeighbours } from './file/quick-look.ts'
import { viewerState, type ZoomControl } from './file/viewer.ts'
import { type Clipboard, clipboard, pasteVerbIn } from './folder/clipboard.ts'
import { foldsCaseIn, itemsOf, listing } from './folder/listing.ts'
import { indexOf, selectedOf, selection } from './folder/selection.ts'
import { canSignOut, session } from './session/session.ts'
import { settings } from './session/settings.ts'
import { shell } from './shell/shell.ts'
import { folderViews, viewOf } from './view/folder-views.ts'
import { layout } from './view/layout.ts'
import { readerPreferences } from './view/reader-preferences.ts'

export interface ActionContext {
  /** The kind of page: a folder, one file, or neither (another page, loading, failed, signed out). */
  page: 'folder' | 'file' | 'elsewhere'
  path: TreePath
  /** The entries of the folder. */
  items: readonly Entry[]
  /** Whether a rule denies the folder, which is shown because it leads to an allowed one. */
  isListOnly: boolean
  /** Whether the disk ignores the case of names in the folder. */
  foldsCase: boolean
  /** Whether the folder has entries. While it loads the value is true, so that the layout does not shift. */
  hasItems: boolean
  /** Whether all entries are known, and not only the first ones of a large folder that is loading. */
  hasAllItems: boolean
  /** The selected entries. On the page of a file, that file. */
  targets: readonly Entry[]
  /** The entry at the keyboard cursor of the listing. */
  cursorEntry?: Entry | undefined
  /** Selection mode: every click toggles one more entry. */
  isSelectionMode: boolean
  /** How the folder is shown. */
  viewMode: ViewMode
  /** The text that the shown names contain; null while the filter is closed. */
  filter: string | null
  /** Whether the details panel is open beside the page, and whether the window is wide enough for it. */
  hasDetails: boolean
  isWideWindow: boolean
  /** Whether text of the page is selected. */
  hasSelectedText: boolean
  /** Whether the main pointer is a finger: such a device has a camera and no hover. */
  isTouch: boolean
  /** The viewer that shows the file; undefined if no file is shown. */
  viewer?: Viewer | undefined
  /** The files before and after the shown one in its folder, and its rank among them. */
  previous?: Entry | undefined
  next?: Entry | undefined
  rank?: Neighbours['rank']
  /** The URLs of the files that the page shows. */
  urls: FileUrls
  /** The share whose visitor sees the file; undefined for the user's own files. */
  share?: ShareKey | undefined
  /** The zoom control of the picture; undefined if no picture is shown. */
  zoomControl?: ZoomControl | undefined
  /** Pictures: whether both the original and a preview can be shown, and whether the original is. */
  hasPreview: boolean
  showsOriginal: boolean
  /** Pictures: whether the facts of the camera are shown over them. */
  hasPictureFacts: boolean
  /** Text: whether long lines wrap, and whether Markdown is rendered. */
  wraps: boolean
  isRendered: boolean
  /** The entries that were copied or cut. */
  clipboard: Clipboard
  /** Whether a paste here moves or copies; undefined if there is nothing to paste. */
  pasteVerb?: 'move' | 'copy' | undefined
  /** Whether the file is shown in Quick Look and not on its own page. */
  isQuickLook: boolean
  /** Whether the targets are results of a search: they may be in several folders, and the page stays. */
  isFinder?: boolean
  canUndo: boolean
  canRedo: boolean
  /** Whether a user is signed in, and whether signing out has an effect. */
  isSignedIn: boolean
  canSignOut: boolean
  /** Whether this server runs commands. */
  runsCommands: boolean
  /** Whether this server imports files from a URL. */
  canImport: boolean
  /** Whether the shell panel is open. */
  hasShell: boolean
  /** Whether the user has the right for the action, and the storage is writable. */
  may(action: PolicyAction): boolean
}

/** The stores that the context is derived from. */
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
  folderViews,
  undoable,
}

/** @returns the context of this moment, for event handlers */
export function actionContext(): ActionContext {
  return withQuickLook(contextOf(STATE, browserState()), quickLook)
}

/** The context of the page for a component, which renders again after every change of the context. */
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
    folderViews: useSnapshot(folderViews),
    undoable: useSnapshot(undoable),
  }
  // A snapshot has the type of its store, but is read-only.
  return contextOf(snapshots as typeof STATE, browserState())
}

/** The context for a viewer: of the page, or of Quick Look over the listing. */
export function useViewerContext(): ActionContext {
  const preview = useSnapshot(quickLook)
  return withQuickLook(useActionContext(), preview as typeof quickLook)
}

/** @returns the context of the file that Quick Look shows; the same context if Quick Look is closed */
function withQuickLook(context: ActionContext, preview: typeof quickLook): ActionContext {
  const { entry } = preview
  if (!entry) return context
  const viewer = viewerOf(entry, { mayRead: context.may('download') })
  return {
    ...context,
    ...quickLookNeighbours(preview),
    page: 'file',
    path: entry.path,
    targets: [entry],
    viewer: entry.isDir ? 'card' : viewer,
    isQuickLook: true,
  }
}

/** Values that no store has; they are read from the browser. */
interface BrowserState {
  /** Whether the URL requests the file as text. */
  asText: boolean
  isWideWindow: boolean
  hasSelectedText: boolean
  isTouch: boolean
}

function browserState(): BrowserState {
  return {
    asText: wantsText(),
    isWideWindow: mediaOf(WIDE).matches,
    hasSelectedText: getSelection()?.toString() !== '',
    isTouch: mediaOf(TOUCH).matches,
  }
}

/** Derives the context from its arguments alone, so that a component can pass snapshots. */
function contextOf(state: typeof STATE, browser: BrowserState): ActionContext {
  const { session, settings, listing, selection, clipboard, viewer, reader, undoable } = state
  const { entry, path, status, filter } = listing
  const shown = status === 'failed' ? null : entry
  const items = itemsOf(shown)
  const file = shown && !isListing(shown) ? shown : null
  /** Whether the next or previous file is loading. Its neighbours are known, so the user can already go on to them. */
  const isStepping = status === 'loading' && path === viewer.steppedTo
  const may = mayOf(state)
  return {
    page: pageOf(state, shown),
    path,
    items,
    isListOnly: shown?.isDir === true && shown.listOnly === true,
    foldsCase: foldsCaseIn(shown),
    hasAllItems: listing.isComplete,
    hasItems: shown ? items.length > 0 : status === 'loading',
    targets: file ? [file] : selectedOf(items, selection.paths),
    cursorEntry: items[indexOf(items, selection.cursor)],
    isSelectionMode: selection.isSelectionMode,
    viewMode: viewOf(path, { ...state.folderViews, ...session, ...state.layout }).viewMode,
    filter,
    hasDetails: state.layout.detailsOpen,
    isWideWindow: browser.isWideWindow,
    hasSelectedText: browser.hasSelectedText,
    isTouch: browser.isTouch,
    viewer: file ? viewerOf(file, { mayRead: may('download'), asText: browser.asText }) : undefined,
    ...((file || isStepping) && neighboursOf(viewer.siblings, path)),
    zoomControl: viewer.zoomControl ?? undefined,
    hasPreview: viewer.hasPreview,
    showsOriginal: viewer.showsOriginal,
    hasPictureFacts: reader.pictureFacts,
    wraps: reader.wrap,
    isRendered: reader.rendered && !viewer.showsSource,
    clipboard,
    pasteVerb: pasteVerbIn(clipboard, path),
    urls: OWN_URLS,
    isQuickLook: false,
    canUndo: session.user !== null,
    canRedo: undoable.future.length > 0,
    isSignedIn: session.user !== null,
    canSignOut: session.user !== null && canSignOut(settings),
    runsCommands: settings.EnableExec,
    canImport: settings.Imports,
    hasShell: state.shell.open,
    may,
    ...viewer.visit,
  }
}

/** Actions that a read-only server refuses to every user. */
const CHANGING: readonly PolicyAction[] = [
  'create',
  'overwrite',
  'modify',
  'delete',
  'copy',
  'rename',
]

function mayOf({ session, settings }: typeof STATE): ActionContext['may'] {
  const [perm, readOnly] = [session.user?.perm, settings.ReadOnly]
  return (action) => {
    if (!perm || (readOnly && CHANGING.includes(action))) return false
    return permits(perm, action)
  }
}

/** The kind of page. A folder counts as one while it loads, so that its actions do not disappear for a moment. */
function pageOf(
  { session, listing }: typeof STATE,
  entry: Listing | FileEntry | null,
): ActionContext['page'] {
  if (!session.user || listing.status === 'idle' || listing.status === 'failed') return 'elsewhere'
  if (!entry) return listing.asFolder ? 'folder' : 'elsewhere'
  return isListing(entry) ? 'folder' : 'file'
}
