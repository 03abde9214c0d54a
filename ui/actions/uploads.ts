/** Uploads. */

import { t } from '#ui/i18n/i18n.ts'
import type { FilePick } from '#ui/lib/gestures/read-files.ts'
import { momentForName } from '#ui/lib/text/moment.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { toastError, toastNote } from '#ui/state/messages/toasts.ts'
import { pickFiles, pickFolder, takePhoto, uploadFiles } from '#ui/uploads/queue/queue.ts'
import type { TreePath } from '#wire/paths.ts'
import { mayInFolder } from './rights.ts'
import type { Action } from './types.ts'

const canUpload = (context: ActionContext) =>
  context.page === 'folder' && mayInFolder(context, 'create')

export const uploadActions = [
  {
    id: 'upload',
    label: 'actions.upload',
    icon: 'upload',
    when: canUpload,
    run: ({ path }) => upload(pickFiles, path),
  },
  {
    id: 'takePhoto',
    label: 'actions.takePhoto',
    icon: 'camera',
    when: (context) => canUpload(context) && context.isTouch,
    run: ({ path }) => upload(takeNamedPhoto, path),
  },
  {
    id: 'uploadFiles',
    label: 'actions.uploadFiles',
    icon: 'upload',
    when: canUpload,
    run: ({ path }) => upload(pickFiles, path),
  },
  {
    id: 'uploadFolder',
    label: 'actions.uploadFolder',
    icon: 'folder-up',
    when: canUpload,
    run: ({ path }) => upload(pickFolderWithNote, path),
  },
] as const satisfies readonly Action[]

/**
 * Uploads files of the system clipboard: files copied in the desktop, or a screenshot.
 *
 * @returns false if uploads are not allowed here, or if entries that were copied in filemgr are newer
 */
export function pasteFiles(files: readonly File[], context: ActionContext): boolean {
  const hasNewerEntries = context.pasteVerb !== undefined && !context.clipboard.isOnSystemClipboard
  if (hasNewerEntries || !canUpload(context)) return false
  const picks = files.map((file) => ({ file, path: nameOfPasted(file), isDir: false }))
  uploadFiles(picks, context.path).catch(toastError)
  return true
}

/** Takes a photo. Phones give each photo the same name, so the current time becomes its name. */
async function takeNamedPhoto(): Promise<FilePick[]> {
  const name = () => t('uploads.photo', { moment: momentForName() })
  const picks = await takePhoto()
  return picks.map((pick) => ({ ...pick, path: pick.path.replace(/^image(?=\.jpe?g$)/i, name) }))
}

/** A folder without its empty folders is not all that the user has chosen. */
function pickFolderWithNote(): Promise<FilePick[]> {
  return pickFolder(() => toastNote(t('uploads.noEmptyFolders')))
}

/** The name of a pasted file. Browsers give every pasted picture the same one, so the current time replaces it. */
function nameOfPasted({ name, type }: File): string {
  return name === 'image.png' && type === 'image/png'
    ? `${t('uploads.pasted', { moment: momentForName() })}.png`
    : name
}

/** Chooses files and starts their upload. Does not wait for its end: the panel shows it. */
async function upload(pick: () => Promise<FilePick[]>, folder: TreePath): Promise<void> {
  const picked = await pick()
  uploadFiles(picked, folder).catch(toastError)
}
