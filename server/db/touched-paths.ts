/** Which paths the steps of journal entries have changed. */
import type { Database } from 'bun:sqlite'
import type { TreePath } from '#wire/paths.ts'

interface Touch {
  /** The id of the first entry that counts. */
  first: number
  /** The path of the served folder on the disk. */
  root: string
  path: TreePath
}

/**
 * Whether an entry changed a path or something below it.
 *
 * @param condition of SQL on the entry `j`
 */
export function wasTouched(db: Database, touch: Touch, condition = 'true'): boolean {
  const { path } = touch
  // One query for each index range, steps first: there may be any number of later entries.
  const parts = ['path', 'target'].flatMap((column) =>
    [`s.${column} = $path`, `s.${column} >= $from AND s.${column} < $to`].map(
      (range) =>
        `SELECT j.id FROM journal_steps s CROSS JOIN journal j ON j.id = s.entry
         WHERE ${range} AND s.${column} <> '' AND s.entry >= $first
           AND j.root = $root AND ${condition}`,
    ),
  )
  const found = db
    .query<{ id: number }, Record<string, string | number>>(`${parts.join(' UNION ALL ')} LIMIT 1`)
    .get({ ...touch, from: `${path}/`, to: `${path}0` })
  return found !== null
}
