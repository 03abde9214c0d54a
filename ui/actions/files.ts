/** Actions for files and folders. */

import * as api from '#ui/api/files/resources.ts'
import { t } from '#ui/i18n/i18n.ts'
import { dropVerb } from '#ui/lib/gestures/drag-items.ts'
import { keyLabel } from '#ui/lib/gestures/keys.ts'
import { filesUrl, goTo } from '#ui/lib/page/location.ts'
import { hasContent } from '#ui/lib/urls/content-urls.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { mayLeave } from '#ui/state/file/text.ts'
import {
  type Clipboard,
  emptyClipboard,
  markOnSystemClipboard,
  putOnClipboard,
} from '#ui/state/folder/clipboard.ts'
import { lastMove } from '#ui/state/folder/last-move.ts'
import { isListOnly } from '#ui/state/folder/list-only.ts'
import { toastSuccess } from '#ui/state/messages/toasts.ts'
import type { Entry } from '#wire/api/entry.ts'
import { archiveKindOf } from '#wire/formats/archives.ts'
import { childPath, nameOf, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { mayDownload } from './downloads.ts'
import { openEntry, openInNewTab } from './open-entry.ts'
import { mayInFolder, mayWithTargets } from './rights.ts'
import type { Action } from './types.ts'

export const fileActions = [
  {
    id: 'newFolder',
    label: 'actions.newFolder',
    icon: 'folder-plus',
    when: canCreate,
    async run({ path }) {
      const name = await ask({ name: 'newFolder', folder: path })
      if (!name) return
      const folder = childPath(path, name)
      await api.createFolder(folder)
      goTo(filesUrl(folder, true))
    },
  },
  {
    id: 'newFile',
    label: 'actions.newFile',
    icon: 'file-plus',
    when: canCreate,
    async run({ path }) {
      const name = await ask({ name: 'newFile', folder: path })
      if (!name) return
      const file = childPath(path, name)
      await api.createFile(file)
      goTo(filesUrl(file, false))
    },
  },
  {
    id: 'open',
    label: 'actions.open',
    icon: 'folder-open',
    when: ({ page, targets }) => page === 'folder' && targets.length === 1,
    run({ targets: [entry], items, may }) {
      if (entry) openEntry(entry, items, may)
    },
  },
  {
    id: 'openInNewTab',
    label: 'viewer.raw',
    icon: 'external-link',
    when: ({ page, targets }) => page === 'folder' && targets.length === 1,
    run({ targets: [entry] }) {
      if (entry) openInNewTab(entry)
    },
  },
  {
    id: 'copy',
    label: 'actions.copy',
    icon: 'copy',
    keys: ['Ctrl+C'],
    onFocused: true,
    // If text is selected on the page, the user copies the text, not files.
    when: (context) =>
      hasSelection(context) && mayWithTargets(context, 'copy') && !context.hasSelectedText,
    run: (context) => putAway('copy', context),
  },
  {
    id: 'cut',
    label: 'actions.cut',
    icon: 'scissors',
    keys: ['Ctrl+X'],
    onFocused: true,
    when: (context) => hasSelection(context) && mayWithTargets(context, 'rename'),
    run: (context) => putAway('cut', context),
  },
  {
    id: 'paste',
    label: 'actions.paste',
    icon: 'clipboard-paste',
    keys: ['Ctrl+V'],
    when: (context) =>
      context.page === 'folder' &&
      context.pasteVerb !== undefined &&
      mayInFolder(context, context.pasteVerb === 'move' ? 'rename' : 'copy'),
    async run({ path, pasteVerb = 'copy', clipboard: { verb, entries } }) {
      const isDone = await (await transfers()).transfer(pasteVerb, entries, path, { stay: true })
      if (isDone && verb === 'cut') emptyClipboard()
    },
  },
  {
    id: 'copyTo',
    label: 'actions.copyTo',
    icon: 'folders',
    when: (context) => context.targets.length > 0 && mayWithTargets(context, 'copy'),
    async run(context) {
      const { targets, isFinder: stay = false } = context
      const to = await ask({ name: 'copy', entries: targets, from: sourceOf(context) })
      if (to) await (await transfers()).transfer('copy', targets, to, { stay })
    },
  },
  {
    id: 'moveTo',
    label: 'actions.moveTo',
    icon: 'folder-input',
    mirror: true,
    when: (context) => context.targets.length > 0 && mayWithTargets(context, 'rename'),
    async run(context) {
      const { targets } = context
      const to = await ask({ name: 'move', entries: targets, from: sourceOf(context) })
      if (to) await moveInto(context, to)
    },
  },
  {
    id: 'moveAgain',
    label: 'actions.moveAgain',
    labelValues: () => ({ folder: nameOf(lastMove.to ?? ROOT) || t('places.home') }),
    icon: 'folder-input',
    mirror: true,
    when: (context) =>
      lastMove.to !== undefined &&
      mayWithTargets(context, 'rename') &&
      !isListOnly(lastMove.to) &&
      dropVerb(
        { entries: context.targets, from: sourceOf(context) },
        lastMove.to,
        { move: true, copy: false },
        false,
      ) === 'move',
    run: (context) => moveInto(context, lastMove.to ?? ROOT),
  },
  {
    id: 'extract',
    label: 'actions.extract',
    icon: 'archive',
    when: (context) =>
      context.page !== 'elsewhere' &&
      mayInFolder(context, 'create') &&
      context.may('download') &&
      isOneArchive(context),
    async run(context) {
      const [entry] = context.targets
      if (entry) await (await archives()).extract(entry, parentPath(entry.path))
    },
  },
  {
    id: 'compress',
    label: 'actions.compress',
    icon: 'archive',
    when: (context) =>
      hasSelection(context) && mayInFolder(context, 'create') && mayDownload(context),
    run: async ({ targets, path }) => (await archives()).compress(targets.filter(hasContent), path),
  },
  {
    id: 'import',
    label: 'actions.import',
    icon: 'arrow-down-to-line',
    when: (context) => context.canImport && canCreate(context),
    run: async ({ path }) => (await imports()).importFile(path),
  },
  {
    id: 'writeSums',
    label: 'actions.writeSums',
    icon: 'file-text',
    when: (context) => mayWithTargets(context, 'create') && isOneReadableFolder(context),
    run: async (context) => (await imports()).startSums('sums', folderOf(context)),
  },
  {
    id: 'verifySums',
    label: 'actions.verifySums',
    icon: 'circle-check',
    when: isOneReadableFolder,
    run: async (context) => (await imports()).startSums('verify', folderOf(context)),
  },
  {
    id: 'rename',
    label: 'actions.rename',
    icon: 'pencil',
    keys: ['F2'],
    onFocused: true,
    when: (context) =>
      mayInFolder(context, 'rename') &&
      mayWithTargets(context, 'rename') &&
      (context.targets.length === 1 || hasFolderSelection(context)),
    run: async (context) => (await renames()).rename(context),
  },
  {
    id: 'delete',
    label: 'actions.delete',
    icon: 'trash-2',
    keys: ['Delete', 'Ctrl+Backspace'],
    onFocused: true,
    danger: true,
    when: (context) => context.targets.length > 0 && mayWithTargets(context, 'delete'),
    run: async (context) => (await deletion()).remove(context),
  },
] as const satisfies readonly Action[]

/** Puts the targets on the clipboard, and says so; where there are keys, also which of them pastes. */
function putAway(verb: Clipboard['verb'], { path, targets, isTouch }: ActionContext): void {
  putOnClipboard(verb, path, targets)
  void copyNames(targets)
  const what = { count: targets.length, name: targets[0]?.name ?? '' }
  const text = t(verb === 'copy' ? 'toasts.copied' : 'toasts.cut', what)
  toastSuccess(isTouch ? text : `${text} (${keyLabel('Ctrl+V')})`)
}

/**
 * Writes the names to the system clipboard, as file managers do: other programs can paste them, and files that are
 * found there later are known to be newer.
 */
async function copyNames(entries: readonly Entry[]): Promise<void> {
  try {
    await navigator.clipboard?.writeText(entries.map(nameOfEntry).join('\n'))
    if (navigator.clipboard) markOnSystemClipboard(entries)
  } catch {
    // If the browser refuses access, a paste inside filemgr still works.
  }
}

/** Loaded on demand, because it is used rarely. */
const archives = () => import('./archives.ts')
const imports = () => import('./imports.ts')
const transfers = () => import('./transfer.ts')
const deletion = () => import('./delete.ts')
const renames = () => import('./rename.ts')

/** Loads the code of `rename` before it is needed. */
export function preloadRename(): void {
  // Without a connection, the action itself reports the failure.
  renames().catch(() => undefined)
}

/** Moves the targets that are not there yet. The shown file moves with its page, if its changes may be left. */
async function moveInto(context: ActionContext, to: TreePath): Promise<void> {
  const { targets, page, isFinder: stay = false } = context
  const movesShownFile = page === 'file'
  const moved = targets.filter((entry) => parentPath(entry.path) !== to)
  if (moved.length === 0 || (movesShownFile && !(await mayLeave()))) return
  await (await transfers()).transfer('move', moved, to, { stay, movesShownFile })
}

/** The folder that the targets are moved from. */
function sourceOf({ page, path }: ActionContext): TreePath {
  return page === 'file' ? parentPath(path) : path
}

/** Whether exactly one archive is selected, by its name. */
function isOneArchive({ targets: [entry, ...others] }: ActionContext): boolean {
  return !!entry && !entry.isDir && others.length === 0 && archiveKindOf(entry.name) !== undefined
}

function canCreate(context: ActionContext): boolean {
  return context.page === 'folder' && mayInFolder(context, 'create')
}

/** The selected folder, or else the shown one. */
function folderOf({ targets: [entry], path }: ActionContext): TreePath {
  return entry?.path ?? path
}

/** Whether exactly one folder is selected, and the user may read its files. */
function isOneReadableFolder(context: ActionContext): boolean {
  const { targets } = context
  return (
    hasSelection(context) && targets.length === 1 && !!targets[0]?.isDir && mayDownload(context)
  )
}

function hasSelection({ page, targets }: ActionContext): boolean {
  return page === 'folder' && targets.length > 0
}

/** Results of a search are in several folders: they have no common siblings. */
function hasFolderSelection(context: ActionContext): boolean {
  return hasSelection(context) && !context.isFinder
}

function nameOfEntry({ name }: Entry): string {
  return name
}
