/** Contexts of actions for tests. */
import { OWN_URLS } from '#ui/lib/urls/file-urls.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { parsePath } from '#wire/paths.ts'
import { type Permissions, permits } from '#wire/permissions.ts'
import { entry } from './entries.ts'

export const ITEMS = [entry('/docs/a.txt'), entry('/docs/b.txt'), entry('/docs/sub/')]

/** A folder with `ITEMS`, of which none is selected, shown to a user with these permissions. */
export function contextOf(
  permissions: Permissions,
  changes: Partial<ActionContext> = {},
): ActionContext {
  return {
    page: 'folder',
    path: parsePath('/docs'),
    items: ITEMS,
    foldsCase: false,
    isListOnly: false,
    hasItems: (changes.items ?? ITEMS).length > 0,
    hasAllItems: true,
    targets: [],
    isSelectionMode: false,
    viewMode: 'list',
    filter: null,
    hasDetails: false,
    isWideWindow: true,
    hasSelectedText: false,
    isTouch: false,
    hasPreview: true,
    showsOriginal: false,
    hasPictureFacts: false,
    wraps: true,
    isRendered: false,
    clipboard: {
      verb: 'copy',
      folder: parsePath('/docs'),
      entries: [],
      isOnSystemClipboard: false,
    },
    urls: OWN_URLS,
    isQuickLook: false,
    canUndo: false,
    canRedo: false,
    isSignedIn: true,
    canSignOut: true,
    runsCommands: false,
    canImport: false,
    hasShell: false,
    may: (action) => permits(permissions, action),
    ...changes,
  }
}
