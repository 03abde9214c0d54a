/** What became of an entry that was begun and not done: the disk says which of its steps happened. */
import type { StoredStep } from '#server/db/journal-rows.ts'
import type { Mark } from '#server/storage/step.ts'
import type { Kept } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { JournalDeps } from './deps.ts'

/**
 * Takes out what did not happen; an entry without steps goes, any other one is done. An undo of which only some
 * happened has not undone its entry: it is undone by itself.
 *
 * @param content of the whole served tree
 */
export async function settle(
  entry: number,
  { rows, kept }: Pick<JournalDeps, 'rows' | 'kept'>,
  content: Kept,
): Promise<void> {
  // What is kept on a file system that is not mounted now waits for it.
  if (rows.stepsOf(entry).some(({ step }) => step.kept && content.isAway(step.kept))) return
  const past: { number: number; step: StoredStep; found: StoredStep | undefined }[] = []
  for (const { number, step } of rows.stepsOf(entry)) {
    past.push({ number, step, found: await foundOf(step, content) })
  }
  for (const { step, found } of past) {
    // A second name of what still has its first one.
    if (!found && step.kept) await content.discard(step.kept)
  }
  rows.together(() => {
    for (const { number, step, found } of past) {
      if (found) rows.putStep(entry, number, found)
      else rows.removeStep(entry, number)
      if (step.kept && !found?.kept) kept.remove(step.kept)
    }
    const partly = past.some(({ found }) => !found)
    if (past.some(({ found }) => found)) rows.done(entry, { partly })
    else rows.remove(entry)
  })
}

/** What stands under a name; nothing where nobody may look any more. */
async function markAt(path: TreePath, content: Kept): Promise<Mark | undefined> {
  try {
    return await content.look(path)
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** The step as it happened; undefined when it did not. */
async function foundOf(step: StoredStep, content: Kept): Promise<StoredStep | undefined> {
  const now = await markAt(step.path, content)
  const keptMark = step.kept === '' ? undefined : content.mark(step.kept)
  // Without its content the rest of the step may still have happened.
  const without = { ...step, kept: keptMark === undefined ? '' : step.kept }
  switch (step.kind) {
    case 'made':
      // A new folder has no mark before it is there.
      if (step.after === '') return now === undefined ? undefined : { ...step, after: now }
      return now === step.after ? step : undefined
    case 'removed':
      return now === step.before ? undefined : without
    case 'replaced':
      // Kept content that has no other name is what was replaced, whatever came after.
      return now === step.after || (keptMark !== undefined && keptMark !== now)
        ? without
        : undefined
    case 'renamed': {
      const there = step.to === '' ? undefined : await markAt(step.to, content)
      if (there !== step.after) return undefined
      // A copy on another file system has its name, and what was copied came back.
      const isBack = now !== undefined && now === step.before && step.before !== step.after
      return isBack ? { ...step, kind: 'made', path: step.to || step.path, to: '' } : step
    }
  }
}
