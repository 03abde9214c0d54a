/**
 * Who brought removed content into the tree, as far as the journal knows. What a user brought in and removed leaves the trash
 * before what others brought in, so that an account cannot push the content of others out by uploads that it deletes.
 */

import type { JournalVerb } from '#wire/api/journal.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import type { Database } from '../database.ts'

/** In the order in which items of one user leave the trash. */
export const BROUGHT_BY = { remover: 0, unknown: 1, other: 2 } as const
export type BroughtBy = (typeof BROUGHT_BY)[keyof typeof BROUGHT_BY]

/** An object that a user removes. */
export interface Removed {
  /** The path of the served folder on the disk. */
  root: string
  userId: number
  /** The journal entry of the removal. */
  entry: number
  path: TreePath
  mark: string
  isFolder: boolean
}

/** Changes that create content. The others only move, remove or return it. */
const BRINGING: readonly string[] = [
  'upload',
  'folder',
  'save',
  'copy',
  'extract',
  'archive',
  'sums',
] satisfies JournalVerb[]
/** How many steps are looked at for one removal; beyond, it is not known who brought it in. */
const STEPS_MAX = 1000

interface Row {
  entry: number
  number: number
  kind: string
  path: string
  target: string
  before: string
  after: string
  is_folder: number
  user_id: number
  verb: string
}

/** Where an object was before an entry. */
interface Location {
  path: TreePath
  mark: string
  isFolder: boolean
  before: number
}

const STEPS = `SELECT s.entry, s.number, s.kind, s.path, s.target, s.before, s.after, s.is_folder, j.user_id, j.verb
  FROM journal_steps s CROSS JOIN journal j WHERE j.id = s.entry`

export function broughtBy(db: Database, removed: Removed): Promise<BroughtBy> {
  return new Provenance(db, removed).of({ ...removed, before: removed.entry })
}

class Provenance {
  readonly #db: Database
  readonly #root: string
  readonly #userId: number
  #stepsLeft = STEPS_MAX

  constructor(db: Database, { root, userId }: Removed) {
    this.#db = db
    this.#root = root
    this.#userId = userId
  }

  /** Follows an object back through renames, removals and restores to the change that created it. */
  async of(start: Location): Promise<BroughtBy> {
    let result: BroughtBy = BROUGHT_BY.remover
    for (let now: Location | undefined = start; now; ) {
      const step: Row | undefined = await this.#lastStepAt(now)
      const moved: Row | undefined = step ? undefined : await this.#moveOfFolderAbove(now)
      if (now.isFolder)
        result = worse(result, await this.#ofContents(now, step?.entry ?? moved?.entry))
      if (moved) {
        const rest = now.path.slice(moved.target.length)
        now = { ...now, path: `${moved.path}${rest}` as TreePath, before: moved.entry }
        continue
      }
      if (!step || this.#stepsLeft < 0) return worse(result, BROUGHT_BY.unknown)
      if (step.kind !== 'renamed' && BRINGING.includes(step.verb)) {
        return worse(result, this.#userOf(step))
      }
      now =
        step.kind === 'renamed' ? { ...now, ...sourceOf(step) } : await this.#removalOf(now, step)
    }
    return worse(result, BROUGHT_BY.unknown)
  }

  #userOf({ user_id }: Row): BroughtBy {
    return user_id === this.#userId ? BROUGHT_BY.remover : BROUGHT_BY.other
  }

  /** What was created in a folder, or moved into it, while it had this path. */
  async #ofContents({ path, before }: Location, since = 0): Promise<BroughtBy> {
    let result: BroughtBy = BROUGHT_BY.remover
    for (const step of await this.#stepsBelow(path, since, before)) {
      const isMovedIn = step.kind === 'renamed' && !step.path.startsWith(`${path}/`)
      const isCreated = step.kind === 'made' || step.kind === 'replaced'
      if (!isMovedIn && !isCreated) continue
      const isBrought = isCreated && BRINGING.includes(step.verb)
      result = worse(result, isBrought ? this.#userOf(step) : await this.of(resultOf(step)))
      if (result === BROUGHT_BY.other || this.#stepsLeft < 0) break
    }
    return this.#stepsLeft < 0 ? worse(result, BROUGHT_BY.unknown) : result
  }

  /** The last step that left an object with this mark at this path. */
  async #lastStepAt({ path, mark, before }: Location): Promise<Row | undefined> {
    this.#stepsLeft -= 1
    if (mark === '') return undefined
    const parts = [`s.path = $path AND s.target = ''`, `s.target = $path AND s.target <> ''`].map(
      (match) =>
        `${STEPS} AND ${match} AND s.after = $mark AND s.entry < $before AND j.root = $root`,
    )
    const query = `${parts.join(' UNION ALL ')} ORDER BY entry DESC, number DESC LIMIT 1`
    return await this.#first(query, { path, mark, before })
  }

  /** The last move of a folder above a path to where it is now. */
  async #moveOfFolderAbove({ path, before }: Location): Promise<Row | undefined> {
    let last: Row | undefined
    for (let folder = parentPath(path); folder !== ROOT; folder = parentPath(folder)) {
      this.#stepsLeft -= 1
      const query = `${STEPS} AND s.target = $folder AND s.target <> '' AND s.kind = 'renamed'
        AND s.entry < $before AND j.root = $root ORDER BY s.entry DESC LIMIT 1`
      const found = await this.#first(query, { folder, before })
      if (found && found.entry > (last?.entry ?? 0)) last = found
    }
    return last
  }

  /** Where an object was removed that a step returned: mostly at the same path. */
  async #removalOf(now: Location, { entry }: Row): Promise<Location | undefined> {
    const removal = `s.before = $mark AND s.kind IN ('removed', 'replaced') AND s.entry < $entry AND j.root = $root
      ORDER BY s.entry DESC LIMIT 1`
    const values = { mark: now.mark, entry }
    const found =
      (await this.#first(`${STEPS} AND s.path = $path AND ${removal}`, {
        ...values,
        path: now.path,
      })) ?? (await this.#first(`${STEPS} AND ${removal}`, values))
    return found && { ...now, path: found.path as TreePath, before: found.entry }
  }

  /** Some steps below a path; all of them if `#stepsLeft` is not negative afterwards. */
  async #stepsBelow(path: TreePath, since: number, before: number): Promise<Row[]> {
    const [from, to] = [`${path}/`, `${path}0`]
    // By the indexes of the paths: with `+`, SQLite does not read the many entries in between instead.
    const parts = ['path', 'target'].map(
      (column) =>
        `${STEPS} AND s.${column} >= $from AND s.${column} < $to AND s.${column} <> ''
           AND +s.entry >= $since AND +s.entry < $before AND j.root = $root`,
    )
    const rows = await this.#db
      .query<Row, Record<string, string | number>>(`${parts.join(' UNION ALL ')} LIMIT $limit`)
      .all({ from, to, since, before, root: this.#root, limit: Math.max(0, this.#stepsLeft) + 1 })
    this.#stepsLeft -= rows.length
    return rows
  }

  async #first(query: string, values: Record<string, string | number>): Promise<Row | undefined> {
    const found = this.#db.query<Row, Record<string, string | number>>(query)
    return (await found.get({ ...values, root: this.#root })) ?? undefined
  }
}

/** Where the object of a rename was before it. */
function sourceOf({ path, before, entry }: Row): Pick<Location, 'path' | 'mark' | 'before'> {
  // The paths of steps are those of the tree.
  return { path: path as TreePath, mark: before, before: entry }
}

/** The object that a step left at its path. */
function resultOf({ path, target, after, is_folder, entry }: Row): Location {
  const at = target === '' ? path : target
  return { path: at as TreePath, mark: after, isFolder: is_folder === 1, before: entry + 1 }
}

function worse(a: BroughtBy, b: BroughtBy): BroughtBy {
  return a > b ? a : b
}
