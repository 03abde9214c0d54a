/** Recovers an unfinished journal entry: the disk tells which of its steps happened. */
import type { StoredEntry, StoredStep } from '#server/db/journal-rows.ts'
import type { Mark } from '#server/storage/step.ts'
import type { TrashStore } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { JournalDeps } from './deps.ts'

/**
 * Deletes the steps that did not happen, and moves the versions of renamed files. An entry without steps is deleted, any other is marked as finished. If only
 * some steps of an undo happened, the original entry does not count as undone, and the partial undo is rolled back
 * (undo.ts).
 *
 * @param store the trash of the whole served tree
 */
export async function recoverEntry(
  { id: entry, root }: Pick<StoredEntry, 'id' | 'root'>,
  { rows, trashRows }: Pick<JournalDeps, 'rows' | 'trashRows'>,
  store: TrashStore,
): Promise<void> {
  // Content is on a file system that is not mounted: a later recovery decides.
  if (rows.stepsOf(entry).some(({ step }) => step.kept && store.isAway(step.kept))) return
  const past: { number: number; step: StoredStep; happened: StoredStep | undefined }[] = []
  for (const { number, step } of rows.stepsOf(entry)) {
    past.push({ number, step, happened: await happenedStep(step, store) })
  }
  for (const { step, happened } of past) {
    // The step did not happen, so the file still has its path, and the second name in the trash is not needed.
    if (!happened && step.kept) await store.discard(step.kept)
  }
  rows.together(() => {
    for (const { number, step, happened } of past) {
      if (happened) rows.putStep(entry, number, happened)
      else rows.removeStep(entry, number)
      if (step.kept && !happened?.kept) trashRows.remove(step.kept)
      if (happened?.kind === 'renamed' && happened.to)
        trashRows.moveVersions(root, happened.path, happened.to)
    }
    const count = past.filter(({ happened }) => happened).length
    // An undo records its steps one after another, so it may have stopped before it recorded the last ones.
    const isPartial = count < Math.max(past.length, rows.stepsToUndo(entry))
    if (count > 0) rows.done(entry, { isPartial })
    else rows.remove(entry)
  })
}

/** @returns the mark of the object at a path; undefined if there is none, or the path is no longer accessible */
async function markAt(path: TreePath, store: TrashStore): Promise<Mark | undefined> {
  try {
    return await store.markAt(path)
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** @returns the step as it happened; undefined if it did not */
async function happenedStep(step: StoredStep, store: TrashStore): Promise<StoredStep | undefined> {
  const current = await markAt(step.path, store)
  const keptMark = step.kept === '' ? undefined : store.mark(step.kept)
  // The step may have happened even if its content is gone from the trash.
  const withoutLostContent = { ...step, kept: keptMark === undefined ? '' : step.kept }
  switch (step.kind) {
    case 'made':
      // The mark of a new folder is not known when the step is recorded.
      if (step.after === '') return current === undefined ? undefined : { ...step, after: current }
      return current === step.after ? step : undefined
    case 'removed':
      return current === step.before ? undefined : withoutLostContent
    case 'replaced':
      // Content in the trash that has no other name was replaced, whatever happened to the path later.
      return current === step.after || (keptMark !== undefined && keptMark !== current)
        ? withoutLostContent
        : undefined
    case 'renamed': {
      const markAtTarget = step.to === '' ? undefined : await markAt(step.to, store)
      if (markAtTarget !== step.after) return undefined
      // A move to another file system published its copy, but the original still exists: a new object was made.
      const isOriginalThere =
        current !== undefined && current === step.before && step.before !== step.after
      return isOriginalThere ? { ...step, kind: 'made', path: step.to || step.path, to: '' } : step
    }
  }
}
