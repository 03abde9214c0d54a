/** Actions for the page itself. */

import { filterByName } from '#ui/lib/entries/filter.ts'
import { goTo } from '#ui/lib/page/location.ts'
import { insideOf, insideQuery } from '#ui/lib/urls/archive-urls.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { mayLeave } from '#ui/state/file/text.ts'
import { closeFilter, openFilter, reloadListing } from '#ui/state/folder/listing.ts'
import { clearSelection, selectAll, selection } from '#ui/state/folder/selection.ts'
import { signOut } from '#ui/state/session/session.ts'
import { changeView } from '#ui/state/view/folder-views.ts'
import { layout } from '#ui/state/view/layout.ts'
import { VIEW_MODES, type ViewMode } from '#wire/api/user.ts'
import { parentPath, ROOT } from '#wire/paths.ts'
import type { Action } from './types.ts'

export const viewActions = [
  {
    id: 'details',
    label: 'actions.details',
    icon: 'info',
    keys: ['Alt+Enter'],
    onFocused: true,
    when: ({ page, share }) => page !== 'elsewhere' && !share,
    pressed: ({ hasDetails }) => hasDetails,
    run({ targets, hasDetails, isWideWindow }) {
      if (isWideWindow) layout.detailsOpen = !hasDetails
      else void ask({ name: 'info', entries: targets })
    },
  },
  {
    id: 'switchView',
    label: 'actions.switchView',
    icon: 'layout-grid',
    keys: ['Alt+V'],
    when: ({ page }) => page === 'folder',
    run: (context) =>
      showAs(context, VIEW_MODES[(VIEW_MODES.indexOf(context.viewMode) + 1) % VIEW_MODES.length]),
  },
  {
    id: 'viewAsList',
    label: 'actions.viewAsList',
    icon: 'list',
    when: ({ page }) => page === 'folder',
    pressed: ({ viewMode }) => viewMode === 'list',
    run: (context) => showAs(context, 'list'),
  },
  {
    id: 'viewAsMosaic',
    label: 'actions.viewAsMosaic',
    icon: 'layout-grid',
    when: ({ page }) => page === 'folder',
    pressed: ({ viewMode }) => viewMode === 'mosaic',
    run: (context) => showAs(context, 'mosaic'),
  },
  {
    id: 'viewAsGallery',
    label: 'actions.viewAsGallery',
    icon: 'gallery-thumbnails',
    when: ({ page }) => page === 'folder',
    pressed: ({ viewMode }) => viewMode === 'mosaic gallery',
    run: (context) => showAs(context, 'mosaic gallery'),
  },
  {
    id: 'filter',
    label: 'actions.filter',
    icon: 'list-filter',
    keys: ['Ctrl+F'],
    when: ({ page, hasItems }) => page === 'folder' && hasItems,
    pressed: ({ filter }) => filter !== null,
    run: openFilter,
  },
  {
    id: 'selectMultiple',
    label: 'actions.selectMultiple',
    icon: 'list-checks',
    mirror: true,
    when: ({ page, hasItems }) => page === 'folder' && hasItems,
    pressed: ({ isSelectionMode }) => isSelectionMode,
    run({ isSelectionMode }) {
      selection.isSelectionMode = !isSelectionMode
    },
  },
  {
    id: 'selectAll',
    label: 'actions.selectAll',
    icon: 'square-check',
    keys: ['Ctrl+A'],
    when: ({ page, hasItems, hasAllItems }) => page === 'folder' && hasItems && hasAllItems,
    run: ({ items, filter }) => selectAll(filterByName(items, filter ?? '')),
  },
  {
    id: 'clearSelection',
    label: 'actions.clearSelection',
    icon: 'x',
    keys: ['Escape'],
    when: ({ page, targets, isSelectionMode }) =>
      page === 'folder' && (targets.length > 0 || isSelectionMode),
    run: clearSelection,
  },
  {
    id: 'closeFilter',
    label: 'actions.closeFilter',
    icon: 'x',
    keys: ['Escape'],
    when: ({ page, filter, targets, isSelectionMode }) =>
      page === 'folder' && filter !== null && targets.length === 0 && !isSelectionMode,
    run: closeFilter,
  },
  {
    id: 'refresh',
    label: 'actions.refresh',
    icon: 'refresh-cw',
    when: ({ page }) => page === 'folder',
    run: reloadListing,
  },
  {
    id: 'goUp',
    label: 'actions.goUp',
    icon: 'arrow-up',
    keys: ['Alt+ArrowUp', 'Backspace'],
    when: ({ page, path }) => page !== 'elsewhere' && path !== ROOT,
    run: ({ path, viewer, urls }) => {
      const archivePath = viewer === 'archive' ? insideOf(location.search).path : ROOT
      if (archivePath === ROOT) goTo(urls.page(parentPath(path), true))
      else
        goTo(
          urls.page(path, false) + insideQuery({ path: parentPath(archivePath), asFolder: true }),
        )
    },
  },
  {
    id: 'help',
    label: 'actions.help',
    icon: 'circle-question-mark',
    keys: ['F1'],
    when: () => true,
    run: () => void ask({ name: 'help' }),
  },
  {
    id: 'logOut',
    label: 'actions.logOut',
    icon: 'log-out',
    mirror: true,
    when: ({ canSignOut }) => canSignOut,
    async run() {
      if (await mayLeave()) await signOut()
    },
  },
] as const satisfies readonly Action[]

/** Changes the view of folders on every device of the user, or only of this folder if it has its own view. */
async function showAs({ viewMode, path }: ActionContext, view: ViewMode = 'list'): Promise<void> {
  if (view === viewMode) return
  selection.revealRequests += 1
  await changeView(path, { viewMode: view })
}
