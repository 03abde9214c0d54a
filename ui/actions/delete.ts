/** Deletes the selected entries, or the shown file. */
import * as api from '#ui/api/files/resources.ts'
import { t } from '#ui/i18n/i18n.ts'
import { filesUrl, goUpTo } from '#ui/lib/page/location.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { groupChanges } from '#ui/state/changes/undo.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { discardChanges } from '#ui/state/file/text.ts'
import { removeSibling } from '#ui/state/file/viewer.ts'
import { preselect, reloadListing } from '#ui/state/folder/listing.ts'
import { indexOf } from '#ui/state/folder/selection.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import type { Entry } from '#wire/api/entry.ts'
import { parentPath } from '#wire/paths.ts'
import { offerJob } from './jobs.ts'
import { canStep, stepTo } from './open.ts'

/** Asks first. Many entries are deleted by a job of the server. Failures of single entries become messages. */
export async function remove(context: ActionContext): Promise<void> {
  const { page, path, items, targets } = context
  if (page === 'folder') {
    const items = targets.map((entry) => ({ path: entry.path }))
    const offered = await offerJob({ kind: 'delete', items }, targets)
    if (offered !== 'small') return
  }
  if (!(await ask({ name: 'delete', entries: targets }))) return
  const deleted: Entry[] = []
  const changes = await groupChanges(async (record) => {
    for (const entry of targets) {
      try {
        await api.remove(page === 'file' ? path : entry.path, record)
        deleted.push(entry)
      } catch (error) {
        toastError(error, entry.name)
      }
    }
  })
  const [first] = deleted
  const text = t('toasts.deleted', { count: deleted.length, name: first?.name ?? '' })
  if (first) toastSuccess(text, changes)
  if (page === 'file') {
    if (first) showNextFile(context)
    return
  }
  if (!context.isFinder) preselectNeighbour(items, targets)
  await reloadListing()
}

/** Leaves the page of a deleted file: shows the next file of the viewer, or else the folder. */
function showNextFile(context: ActionContext): void {
  const { path, next, previous } = context
  discardChanges()
  removeSibling(path)
  const neighbour = canStep(context) ? (next ?? previous) : undefined
  if (neighbour) stepTo(neighbour, context)
  else goUpTo(filesUrl(parentPath(path), true))
}

/** Selects the entry that follows the last deleted one, or else the one before it. */
function preselectNeighbour(items: readonly Entry[], deleted: readonly Entry[]): void {
  const names = new Set(deleted.map((entry) => entry.name))
  const last = indexOf(items, deleted.at(-1)?.path)
  const isLeft = (entry: Entry) => !names.has(entry.name)
  const neighbour = items.slice(last + 1).find(isLeft) ?? items.slice(0, last).findLast(isLeft)
  if (neighbour) preselect([neighbour.name])
}
