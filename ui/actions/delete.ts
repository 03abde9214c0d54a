/** Deletes the selected entries, or the shown file. What goes to the trash is not asked about: undo brings it back. */
import * as api from '#ui/api/files/resources.ts'
import { t } from '#ui/i18n/i18n.ts'
import { filesUrl, goUpTo } from '#ui/lib/page/location.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { groupChanges, type Recorder, reportChanges } from '#ui/state/changes/undo.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { discardChanges } from '#ui/state/file/text.ts'
import { removeSibling } from '#ui/state/file/viewer.ts'
import { preselect, reloadListing } from '#ui/state/folder/listing.ts'
import { indexOf } from '#ui/state/folder/selection.ts'
import { toastError, toastSuccess } from '#ui/state/messages/toasts.ts'
import type { Entry } from '#wire/api/entry.ts'
import { isFault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { parentPath, parsePath } from '#wire/paths.ts'
import { offerJob, trashByJob } from './jobs.ts'
import { canStep, stepTo } from './open.ts'

/**
 * Moves the targets to the trash. Then it asks about those that the server would delete permanently. Many entries are
 * deleted by a job of the server, or by several. Failures of single entries become messages.
 */
export async function remove(context: ActionContext): Promise<void> {
  const { page, path, targets } = context
  const all = page === 'file' ? targets.map((entry) => ({ ...entry, path })) : targets
  for (let first = 0; first < all.length; first += LIMITS.jobItemsMax) {
    await moveToTrash(context, all.slice(first, first + LIMITS.jobItemsMax))
  }
}

async function moveToTrash(context: ActionContext, targets: readonly Entry[]): Promise<void> {
  const begun = context.page === 'folder' ? await trashByJob(targets) : 'small'
  if (begun === 'started') return
  if (begun !== 'small') {
    const others = targets.filter((entry) => !begun.includes(entry))
    if (others.length > 0) await moveToTrash(context, others)
    return removePermanently(context, begun)
  }
  const trashed = await removeEach(targets, { onlyToTrash: true })
  await showDeleted(context, trashed)
  if (trashed.unkept.length > 0) await removePermanently(context, trashed.unkept)
}

/** Asks first. */
async function removePermanently(context: ActionContext, entries: readonly Entry[]): Promise<void> {
  if (context.page === 'folder') {
    const items = entries.map((entry) => ({ path: entry.path }))
    if ((await offerJob({ kind: 'delete', items }, entries)) !== 'small') return
  }
  if (!(await ask({ name: 'delete', entries }))) return
  await showDeleted(context, await removeEach(entries, { onlyToTrash: false }))
}

interface Outcome {
  deleted: readonly Entry[]
  /** Entries that the trash does not keep, and that are not deleted. */
  unkept: readonly Entry[]
  /** The journal entries; none if nothing can be undone. */
  changes: readonly number[]
  isToTrash: boolean
}

/** Deletes the entries one after the other, as one change. */
async function removeEach(
  entries: readonly Entry[],
  options: { onlyToTrash: boolean },
): Promise<Outcome> {
  const deleted: Entry[] = []
  const unkept: Entry[] = []
  const removeOne = async (entry: Entry, record: Recorder) => {
    try {
      await api.remove(parsePath(entry.path), options, record)
      deleted.push(entry)
    } catch (error) {
      if (isFault(error) && error.reason === 'notKept') unkept.push(entry)
      else toastError(error, entry.name)
    }
  }
  const removeAll = async (record: Recorder) => {
    for (const entry of entries) await removeOne(entry, record)
  }
  // What is deleted permanently is no change to undo.
  const changes = options.onlyToTrash ? await groupChanges(removeAll) : await removeAll(() => {})
  return { deleted, unkept, changes: changes ?? [], isToTrash: options.onlyToTrash }
}

/** Tells what was deleted. In a folder the cursor goes to the neighbour, and a viewer shows the next file. */
async function showDeleted(
  context: ActionContext,
  { deleted, changes, isToTrash }: Outcome,
): Promise<void> {
  const [first] = deleted
  if (first) {
    const key = isToTrash ? 'toasts.trashed' : 'toasts.deleted'
    const text = t(key, { count: deleted.length, name: first.name })
    if (isToTrash) reportChanges(text, changes, { before: deleted.map(({ path }) => path) })
    else toastSuccess(text)
  }
  if (context.page === 'file') {
    if (first) showNextFile(context)
    return
  }
  if (first && !context.isFinder) preselectNeighbour(context.items, deleted)
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
