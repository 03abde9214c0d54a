/** Which paths and objects the steps of journal entries have changed. */

import type { TreePath } from '#wire/paths.ts'
import type { Database } from '../database.ts'
import { type StepRow, type StoredEntry, type StoredStep, toStep } from './journal-rows.ts'

export interface TouchedPath {
  /** The path of the served folder on the disk. */
  root: string
  path: TreePath
}

interface Touch extends TouchedPath {
  /** The id of the first entry that counts. */
  first: number
}

/**
 * Whether an entry changed a path or something below it.
 *
 * @param condition an SQL condition on the journal entry, whose alias is `j`
 * @param except the ids of entries that do not count
 */
export async function wasTouched(
  db: Database,
  touch: Touch,
  condition: string,
  except?: ReadonlySet<number>,
): Promise<boolean> {
  const { path } = touch
  // One query for each range of an index. CROSS JOIN makes SQLite read the few steps before the many entries.
  const parts = ['path', 'target'].flatMap((column) =>
    [`s.${column} = $path`, `s.${column} >= $from AND s.${column} < $to`].map(
      (range) =>
        `SELECT j.id FROM journal_steps s CROSS JOIN journal j
         WHERE j.id = s.entry AND ${range} AND s.${column} <> '' AND s.entry >= $first
           AND j.root = $root AND ${condition}
           AND j.id NOT IN (SELECT CAST(value AS BIGINT) FROM json_each($others))`,
    ),
  )
  const others = JSON.stringify([...(except ?? [])])
  const found = await db
    .query(`${parts.join(' UNION ALL ')} LIMIT 1`)
    .get({ ...touch, from: `${path}/`, to: `${path}0`, others })
  return found !== null
}

/** @returns those of the marks that a step has as the object before or after it; the set may contain others too */
export async function marksSince(
  db: Database,
  { first, root }: Pick<Touch, 'first' | 'root'>,
  marks: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .query<{ before: string; after: string }, Record<string, string | number>>(
      `SELECT s.before, s.after FROM journal_steps s JOIN journal j ON j.id = s.entry
       WHERE s.entry >= $first AND j.root = $root
         AND (s.before IN (SELECT value FROM json_each($marks))
           OR s.after IN (SELECT value FROM json_each($marks)))`,
    )
    .all({ first, root, marks: JSON.stringify(marks) })
  return new Set(rows.flatMap(({ before, after }) => [before, after]))
}

/** @returns steps that made folders for the uploads of a user and that the undo of their entry did not reverse */
export async function leftFolders(
  db: Database,
  { root, userId }: Pick<StoredEntry, 'root' | 'userId'>,
  paths: readonly TreePath[],
): Promise<StoredStep[]> {
  return (
    await db
      .query<StepRow, [string, string, number]>(
        `SELECT s.* FROM journal_steps s JOIN journal j ON j.id = s.entry JOIN journal back ON back.id = j.undone_by
       WHERE s.path IN (SELECT value FROM json_each(?)) AND s.kind = 'made' AND s.role = 'part' AND s.is_folder <> 0
         AND j.root = ? AND j.user_id = ? AND back.undone_by = 0
         AND NOT EXISTS (SELECT 1 FROM journal_steps WHERE entry = back.id AND path = s.path)`,
      )
      .all(JSON.stringify(paths), root, userId)
  ).map(toStep)
}
