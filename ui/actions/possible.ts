/** Which actions a user can ever run: the help lists only their keys. */
import type { Viewer } from '#ui/lib/entries/viewers.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import type { Entry } from '#wire/api/entry.ts'
import { parsePath } from '#wire/paths.ts'
import type { Action } from './types.ts'

/** Whether the action is available on some page with some selection, with the rights and settings of `context`. */
export function isPossible(action: Action, context: ActionContext): boolean {
  return variantsOf(context).some((variant) => action.when(variant))
}

const FILE: Entry = {
  path: parsePath('/folder/file.txt'),
  name: 'file.txt',
  size: 1,
  extension: '.txt',
  modified: '',
  mode: 0,
  isDir: false,
  isSymlink: false,
  type: 'text',
}
const VIEWERS: readonly Viewer[] = ['editor', 'image', 'video', 'card']

/** A folder with and without a selection or a filter, a paste, and files in several viewers. */
function variantsOf(context: ActionContext): ActionContext[] {
  const folder: ActionContext = {
    ...context,
    page: 'folder',
    path: parsePath('/folder'),
    items: [FILE],
    hasItems: true,
    hasAllItems: true,
    isListOnly: false,
    targets: [],
    cursorEntry: FILE,
    isSelectionMode: false,
    filter: '',
    hasSelectedText: false,
    isRendered: false,
    hasPreview: true,
    canUndo: true,
    canRedo: true,
  }
  const file: ActionContext = { ...folder, page: 'file', path: FILE.path, targets: [FILE] }
  return [
    folder,
    { ...folder, targets: [FILE] },
    { ...folder, pasteVerb: 'copy' },
    { ...folder, pasteVerb: 'move' },
    ...VIEWERS.map((viewer) => ({ ...file, viewer, previous: FILE, next: FILE })),
  ]
}
