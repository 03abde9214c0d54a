/** Renames one or several entries. */
import * as api from '#ui/api/files/resources.ts'
import { faultText } from '#ui/i18n/faults.ts'
import { formatNames } from '#ui/i18n/format-names.ts'
import { t } from '#ui/i18n/i18n.ts'
import { type RenameGroup, type RenameStep, renameGroups } from '#ui/lib/entries/new-names.ts'
import { mapLimited } from '#ui/lib/map-limited.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { filesUrl, goTo } from '#ui/lib/page/location.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { groupChanges, type Recorder, reportChanges } from '#ui/state/changes/undo.ts'
import { ask } from '#ui/state/dialogs/prompts.ts'
import { mayLeave } from '#ui/state/file/text.ts'
import { preselect, reloadListing } from '#ui/state/folder/listing.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import type { Entry } from '#wire/api/entry.ts'
import { childPath, parentPath } from '#wire/paths.ts'

/** The entries of a group that got their names, and those that did not. */
interface Outcome {
  done: readonly RenameStep[]
  failed: readonly Entry[]
  error?: unknown
}

/** Asks for the new name of one entry, or of each of several, and renames them. */
export function rename(context: ActionContext): Promise<void> {
  return context.targets.length === 1 ? renameOne(context) : renameMany(context)
}

async function renameOne(context: ActionContext): Promise<void> {
  const { page, path, items, foldsCase, targets } = context
  const [entry] = targets
  if (!entry) return
  const names = items.filter((item) => item !== entry).map((item) => item.name)
  const siblings = { names, foldsCase }
  const name = await ask({ name: 'rename', entry, siblings })
  if (!name || name === entry.name) return
  if (page === 'file' && !(await mayLeave())) return
  const from = page === 'file' ? path : entry.path
  const to = childPath(parentPath(from), name)
  const changes = await groupChanges((record) => api.move(from, to, {}, record))
  const text = t('toasts.renamed', { name: entry.name, to: name })
  reportChanges(text, changes, { before: [from], after: [to] })
  if (page === 'file') return goTo(filesUrl(to, false), { replace: true })
  preselect([name])
  await reloadListing()
}

/**
 * Asks for the new names, and renames the entries. No entry is overwritten. A failure leaves the earlier renames as
 * they are, and its message names the other entries, which stay selected.
 */
async function renameMany({ items, foldsCase, targets }: ActionContext): Promise<void> {
  const siblings = { names: items.map(({ name }) => name), foldsCase }
  const names = await ask({ name: 'renameMany', entries: targets, siblings })
  if (!names) return
  const groups = renameGroups(names, siblings)
  let outcomes: readonly Outcome[] = []
  const changes = await groupChanges(async (record) => {
    const renameOf = (group: RenameGroup) => renameGroup(group, record)
    outcomes = await mapLimited(groups, ON_DEMAND_LIMITS.concurrentChanges, renameOf)
  })
  const done = outcomes.flatMap((outcome) => outcome.done)
  const failed = outcomes.flatMap((outcome) => outcome.failed)
  reportFailures(outcomes)
  if (done.length > 0) {
    const before = done.map(({ entry }) => entry.path)
    const after = done.map(({ entry, to }) => childPath(parentPath(entry.path), to))
    reportChanges(t('toasts.renamedItems', { count: done.length }), changes, { before, after })
  }
  preselect(failed.length > 0 ? failed.map(({ name }) => name) : done.map(({ to }) => to))
  await reloadListing()
}

/** Renames one after the other until the first failure. Names that are exchanged change together or not at all. */
async function renameGroup({ steps, isCycle }: RenameGroup, record: Recorder): Promise<Outcome> {
  for (const [index, step] of steps.entries()) {
    try {
      await renameStep(step, record)
    } catch (error) {
      const done = steps.slice(0, index)
      if (!isCycle) {
        return { done, failed: steps.slice(index).map(({ entry }) => entry), error }
      }
      await reverse(done, record)
      return { done: [], failed: steps.slice(1).map(({ entry }) => entry), error }
    }
  }
  // The first step of a cycle is that of the temporary name.
  return { done: isCycle ? steps.slice(1) : steps, failed: [] }
}

async function reverse(steps: readonly RenameStep[], record: Recorder): Promise<void> {
  for (const { entry, from, to } of steps.toReversed()) {
    try {
      await renameStep({ entry, from: to, to: from }, record)
    } catch (error) {
      return toastError(error, to)
    }
  }
}

function renameStep({ entry, from, to }: RenameStep, record: Recorder): Promise<void> {
  const folder = parentPath(entry.path)
  return api.move(childPath(folder, from), childPath(folder, to), {}, record)
}

/** One message for each reason. */
function reportFailures(outcomes: readonly Outcome[]): void {
  const failures = outcomes.filter(({ failed }) => failed.length > 0)
  for (const [why, group] of Map.groupBy(failures, ({ error }) => faultText(error))) {
    const names = group.flatMap(({ failed }) => failed.map(({ name }) => name))
    toastError(t('toasts.notRenamed', { names: formatNames(names), why }))
  }
}
