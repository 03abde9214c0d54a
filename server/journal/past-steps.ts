/** Reads the steps of an entry with the present trash names and marks of their content. */
import type { JournalRows } from '#server/db/rows/journal.ts'
import type { StoredStep } from '#server/db/rows/journal-rows.ts'

/**
 * @returns the steps of an entry in their order. An undo that failed midway, and was then undone itself, has moved
 *   their content to other trash names, and on another file system to another object.
 */
export async function pastSteps(rows: JournalRows, entry: number): Promise<StoredStep[]> {
  const redoneByKey = new Map((await rows.redoneSteps(entry)).map((step) => [keyOf(step), step]))
  return (await rows.stepsOf(entry)).map(({ step }) => {
    const redone = redoneByKey.get(keyOf(step))
    if (!redone) return step
    const { before, after, kept, completeMs } = redone
    return { ...step, before, after, kept, completeMs }
  })
}

function keyOf({ kind, path, to }: StoredStep): string {
  return JSON.stringify([kind, path, to])
}
