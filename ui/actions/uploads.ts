/** Bringing files in. */

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

/** Is over as soon as the upload has begun: what is done meanwhile is undone by itself. */
async function upload(pick: typeof pickFiles, folder: TreePath): Promise<void> {
  const picked = await pick()
  uploadFiles(picked, folder).catch(toastError)
}
