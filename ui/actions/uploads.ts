/** Bringing files in. */

import { t } from '#ui/i18n/i18n.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { ask } from '#ui/state/prompts.ts'
import { toastError } from '#ui/state/toasts.ts'
import { pickFiles, pickFolder, uploadFiles } from '#ui/uploads/queue.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Action } from './types.ts'

const canUpload = ({ page, may }: ActionContext) => page === 'folder' && may('create')

export const uploadActions = [
  {
    id: 'upload',
    label: 'actions.upload',
    icon: 'upload',
    when: canUpload,
    async run({ path }) {
      const what = await ask({ name: 'upload' })
      if (what === 'files') await upload(pickFiles, path)
      if (what === 'folder') await upload(pickFolder, path)
    },
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
    run: ({ path }) => upload(pickFolder, path),
  },
] as const satisfies readonly Action[]

/**
 * Uploads files of the system's clipboard: those that the desktop has copied, or a picture of the screen.
 *
 * @returns false where nothing may be uploaded, or where what was copied in here is newer
 */
export function pasteFiles(files: readonly File[], context: ActionContext): boolean {
  const isOlder = context.pastes !== undefined && !context.clipboard.isAnnounced
  if (isOlder || !canUpload(context)) return false
  const picks = files.map((file) => ({ file, path: nameOfPasted(file), isDir: false }))
  uploadFiles(picks, context.path).catch(toastError)
  return true
}

/** Browsers call every picture the same: so that two of them are two, each is named by its moment. */
function nameOfPasted({ name, type }: File): string {
  if (name !== 'image.png' || type !== 'image/png') return name
  // Swedish writes dates as names of files like them, in every language: 2026-01-31 09:05:00.
  const moment = new Date().toLocaleString('sv-SE').replaceAll(':', '.')
  return `${t('uploads.pasted', { moment })}.png`
}

/** Is over as soon as the upload has begun: what is done meanwhile is undone by itself. */
async function upload(pick: typeof pickFiles, folder: TreePath): Promise<void> {
  const picked = await pick()
  uploadFiles(picked, folder).catch(toastError)
}
