/** Which paths and objects the steps of journal entries have changed. */
import type { Database } from 'bun:sqlite'
import type { TreePath } from '#wire/paths.ts'

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
export function wasTouched(
  db: Database,
  touch: Touch,
  condition: string,
  except?: ReadonlySet<number>,
): boolean {
  const { path } = touch
  // One query for each range of an index. CROSS JOIN makes SQLite read the few steps before the many entries.
  const parts = ['path', 'target'].flatMap((column) =>
    [`s.${column} = $path`, `s.${column} >= $from AND s.${column} < $to`].map(
      (range) =>
        `SELECT j.id FROM journal_steps s CROSS JOIN journal j ON j.id = s.entry
         WHERE ${range} AND s.${column} <> '' AND s.entry >= $first
           AND j.root = $root AND ${condition}`,
    ),
  )
  const entries = db
    .query<{ id: number }, Record<string, string | number>>(parts.join(' UNION ALL '))
    .iterate({ ...touch, from: `${path}/`, to: `${path}0` })
  for (const { id } of entries) if (!except?.has(id)) return true
  return false
}

/** @returns those of the marks that a step has as the object before or after it; the set may contain others too */
export function marksSince(
  db: Database,
  { first, root }: Pick<Touch, 'first' | 'root'>,
  marks: readonly string[],
): Set<string> {
  const rows = db
    .query<{ before: string; after: string }, Record<string, string | number>>(
      `SELECT s.before, s.after FROM journal_steps s JOIN journal j ON j.id = s.entry
       WHERE s.entry >= $first AND j.root = $root
         AND (s.before IN (SELECT value FROM json_each($marks))
           OR s.after IN (SELECT value FROM json_each($marks)))`,
    )
    .all({ first, root, marks: JSON.stringify(marks) })
  return new Set(rows.flatMap(({ before, after }) => [before, after]))
}
