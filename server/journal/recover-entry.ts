/** Recovers an unfinished journal entry: the disk tells which of its steps happened. */
import type { StoredEntry, StoredStep } from '#server/db/rows/journal-rows.ts'
import type { Mark } from '#server/storage/step.ts'
import type { TrashStore } from '#server/storage/trash-store.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { JournalDeps } from './deps.ts'

/** What the disk tells about a step: as it happened, that it did not, or neither, because its folder is not there. */
type Finding = StoredStep | 'none' | 'unknown'

/**
 * Deletes the steps that did not happen, and moves the versions of renamed files. An entry without steps is deleted, any
 * other is marked as finished. If only some steps of an undo happened, the original entry does not count as undone, and the
 * partial undo is rolled back (undo.ts).
 *
 * The entry stays unfinished while its content is on a file system that is not mounted, or one does not respond, and with `mayWait` also while the
 * folder of a step is not there, or another one is at its path. A later recovery decides.
 *
 * @param entry that of this process; nothing is done if another one has taken it over
 * @param store the trash of the whole served tree, which follows no links
 * @param mayWait otherwise a step whose folder is not there counts as not done
 * @returns whether the change had happened, at least partly; `open`: a later recovery decides
 */
export async function recoverEntry(
  { id: entry, root, writer }: Pick<StoredEntry, 'id' | 'root' | 'writer'>,
  { rows, trashRows, peers }: Pick<JournalDeps, 'rows' | 'trashRows' | 'peers'>,
  store: TrashStore,
  { mayWait }: { mayWait: boolean },
): Promise<'completed' | 'takenBack' | 'open'> {
  const steps = await rows.stepsOf(entry)
  if (steps.some(({ step }) => step.kept && store.isAway(step.kept))) return 'open'
  const past: { number: number; step: StoredStep; happened: StoredStep | undefined }[] = []
  const others: OtherEntries = {
    hasBrought: (path, mark) => rows.isBroughtByOther(entry, path, mark),
    hasFound: (path, mark) => rows.isFoundLater(entry, path, mark),
  }
  for (const { number, step } of steps) {
    const finding = await findingOf(step, store, others).catch(undefinedIfUnavailable)
    if (finding === undefined) return 'open'
    if (finding === 'unknown' && mayWait) return 'open'
    past.push({ number, step, happened: typeof finding === 'string' ? undefined : finding })
  }
  if (!peers.holds(writer)) return 'open'
  for (const { step, happened } of past) {
    // The step did not happen, so the file still has its path, and the second name in the trash is not needed.
    if (!happened && step.kept) await store.discard(step.kept)
  }
  const count = past.filter(({ happened }) => happened).length
  let isOwn = true
  await rows.durably(async () => {
    isOwn = await rows.isUnfinished(entry, writer)
    if (!isOwn) return
    for (const { number, step, happened } of past) {
      if (happened) await rows.putStep(entry, number, happened)
      else await rows.removeStep(entry, number)
      if (step.kept && !happened?.kept) await trashRows.remove(step.kept)
      if (happened?.kind === 'renamed' && happened.to)
        await trashRows.moveVersions(root, happened.path, happened.to)
    }
    // An undo records its steps one after another, so it may have stopped before it recorded the last ones.
    const isPartial = count < Math.max(past.length, await rows.stepsToUndo(entry))
    if (count > 0) await rows.done(entry, { isPartial })
    else await rows.remove(entry)
  })
  if (!isOwn) return 'open'
  return count > 0 ? 'completed' : 'takenBack'
}

/** A disk that does not respond leaves everything open. */
function undefinedIfUnavailable(error: unknown): undefined {
  if (!isFault(error, 'unavailable')) throw error
}

/**
 * @returns what `read` returns; undefined if the path is not accessible, also because of a link in it
 * @throws Fault unavailable
 */
async function ifAccessible<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isFault(error) && error.code !== 'unavailable') return undefined
    throw error
  }
}

/** What other entries tell about an object, by its mark. */
interface OtherEntries {
  /** Whether one of them has made it at a path, or renamed it to there. */
  hasBrought(path: TreePath, mark: Mark): Promise<boolean>
  /** Whether a later one has found it at a path, to remove, replace or rename it. */
  hasFound(path: TreePath, mark: Mark): Promise<boolean>
}

async function findingOf(
  step: StoredStep,
  store: TrashStore,
  others: OtherEntries,
): Promise<Finding> {
  const markAt = (path: TreePath) => ifAccessible(() => store.markAt(path))
  /** The finding for a name that does not have the object of the step. */
  const withoutObject = async (path: TreePath, parent: Mark): Promise<Finding> => {
    if (parent === '') return 'none'
    const present = await ifAccessible(() => store.parentAt(path))
    return present === parent || present === '' ? 'none' : 'unknown'
  }
  /**
   * Whether the step has brought an object to a path that is not there any more, because of a later change. Other changes
   * follow before the recovery if the database has crashed and a server runs on.
   */
  const wasAt = async (path: TreePath) =>
    step.after !== '' &&
    (await others.hasFound(path, step.after)) &&
    !(await others.hasBrought(path, step.after))
  const current = await markAt(step.path)
  const keptMark = step.kept === '' ? undefined : await store.mark(step.kept)
  // The step may have happened even if its content is gone from the trash.
  const withoutLostContent = { ...step, kept: keptMark === undefined ? '' : step.kept }
  switch (step.kind) {
    case 'made': {
      if (step.after !== '' && current === step.after) return step
      if (await wasAt(step.path)) return step
      const missing = await withoutObject(step.path, step.parent)
      // The mark of a new folder is not known when the step is recorded.
      const isNewFolder = step.after === '' && current !== undefined && missing === 'none'
      return isNewFolder && !(await others.hasBrought(step.path, current))
        ? { ...step, after: current }
        : missing
    }
    case 'removed': {
      // A copy in the trash was complete before the removal of the original began (`copyToTrash`).
      const isCopied = keptMark !== undefined && keptMark !== step.before
      if (current === step.before && !isCopied) return 'none'
      if (keptMark !== undefined || step.kept === '') return withoutLostContent
      const missing = await withoutObject(step.path, step.parent)
      return missing === 'unknown' ? missing : withoutLostContent
    }
    case 'replaced':
      // Content in the trash that has no other name was replaced, whatever happened to the path later.
      return current === step.after || (keptMark !== undefined && keptMark !== current)
        ? withoutLostContent
        : withoutObject(step.path, step.parent)
    case 'renamed': {
      const markAtTarget = step.to === '' ? undefined : await markAt(step.to)
      const isOriginalThere = current !== undefined && current === step.before
      if (markAtTarget !== step.after) {
        if (step.to !== '' && (await wasAt(step.to))) return step
        return isOriginalThere ? 'none' : withoutObject(step.to || step.path, step.toParent)
      }
      // A move to another file system published its copy, but the original still exists: a new object was made.
      return isOriginalThere && step.before !== step.after
        ? {
            ...step,
            kind: 'made',
            path: step.to || step.path,
            to: '',
            parent: step.toParent,
            toParent: '',
          }
        : step
    }
  }
}
