/**
 * Joins changes of one user to one file, or of one name, that follow each other: the earlier step then leads to the result of
 * the later one, whose entry is deleted. An undo brings back what was there before all of them. So many further
 * changes do not remove the first one from the journal.
 */
import type { Database } from 'bun:sqlite'
import { DELETED, type JournalLimits, usersBeyond } from './journal-limits.ts'
import { type StepRow, type StoredEntry, type StoredStep, toStep } from './journal-rows.ts'
import { wasTouched } from './touched-paths.ts'

/** A step with the entry that it belongs to. */
type NumberedStep = StoredStep & { entry: number; number: number }

type UserOfRoot = Pick<StoredEntry, 'root' | 'userId'>

type Row = StepRow & { entry: number; number: number }

/** Only finished changes in effect, except undos. */
const IS_IN_EFFECT = `j.is_done = 1 AND j.undone_by = 0 AND j.verb <> 'undo'`
const IS_OF_USER = 'j.root = $root AND j.user_id = $userId'
const HAS_ONE_STEP =
  'NOT EXISTS (SELECT 1 FROM journal_steps WHERE entry = s.entry AND number <> s.number)'

export class JoinedChanges {
  readonly #db: Database
  /** User → the last entry that was compared with the ones before. */
  readonly #lastByUser = new Map<number, number>()

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Joins changes of each user with more entries or bytes than they can keep, the oldest first.
   *
   * @param count how many entries of a user are compared with the ones before
   * @returns whether there may be more
   */
  joinSome(root: string, limits: JournalLimits, count: number): boolean {
    const users = usersBeyond(this.#db, root, limits)
    const joined = users.filter(({ userId }) => this.#joinOf({ root, userId }, count))
    return joined.length > 0
  }

  /** @returns false if all entries of the user were compared */
  #joinOf(user: UserOfRoot, count: number): boolean {
    const after = this.#lastByUser.get(user.userId) ?? 0
    const candidates = this.#db
      .query<Row, Record<string, string | number>>(
        `SELECT s.* FROM journal j CROSS JOIN journal_steps s ON s.entry = j.id
         WHERE ${IS_OF_USER} AND ${IS_IN_EFFECT} AND j.id > $after AND s.kind <> 'made' AND ${HAS_ONE_STEP}
         ORDER BY j.id LIMIT $count`,
      )
      .all({ ...user, after, count })
    for (const row of candidates) joinWithPrevious(this.#db, user, numbered(row))
    const last = candidates.at(-1)
    if (last) this.#lastByUser.set(user.userId, last.entry)
    return last !== undefined
  }
}

/** Joins an entry with the change before, if it is one of the same user to the same file or name. */
export function joinEntry(db: Database, entry: number): void {
  const row = db
    .query<Row & { root: string; user_id: number }, [number]>(
      `SELECT s.*, j.root, j.user_id FROM journal j CROSS JOIN journal_steps s ON s.entry = j.id
       WHERE j.id = ? AND ${IS_IN_EFFECT} AND s.kind <> 'made' AND ${HAS_ONE_STEP}`,
    )
    .get(entry)
  if (row) joinWithPrevious(db, { root: row.root, userId: row.user_id }, numbered(row))
}

function joinWithPrevious(db: Database, user: UserOfRoot, step: NumberedStep): void {
  const previous = previousOf(db, user, step)
  const result = previous && joined(previous, step)
  if (!result || isNeededByOthers(db, user, previous, step)) return
  if (result === 'nothing') removeStep(db, previous)
  else updateStep(db, { ...previous, ...result })
  markDeleted(db, step.entry)
}

/** The last step of the user that left the object as this step found it. */
function previousOf(db: Database, user: UserOfRoot, step: NumberedStep): NumberedStep | undefined {
  const { entry, path, before } = step
  if (before === '') return undefined
  // One query for each index.
  const parts = [`s.path = $path AND s.target = ''`, `s.target = $path AND s.target <> ''`].map(
    (match) =>
      `SELECT s.* FROM journal_steps s CROSS JOIN journal j ON j.id = s.entry
       WHERE ${match} AND s.after = $before AND s.entry < $entry AND ${IS_OF_USER} AND ${IS_IN_EFFECT}`,
  )
  const row = db
    .query<Row, Record<string, string | number>>(
      `${parts.join(' UNION ALL ')} ORDER BY entry DESC, number DESC LIMIT 1`,
    )
    .get({ ...user, entry, path, before })
  return row ? numbered(row) : undefined
}

/** @returns what both steps are together; undefined if they cannot be one step */
function joined(
  first: NumberedStep,
  next: NumberedStep,
): Partial<StoredStep> | 'nothing' | undefined {
  const { after, to, toParent } = next
  if (first.kind === 'renamed') {
    if (next.kind !== 'renamed') return undefined
    return to === first.path ? 'nothing' : { to, toParent, after }
  }
  if (first.kind === 'made' && next.kind === 'removed') return 'nothing'
  // Others may have changed what is in a folder.
  if (first.isFolder || next.isFolder) return undefined
  if (next.kind === 'replaced' && first.kind !== 'removed') return { after }
  if (first.kind !== 'made' || next.kind !== 'renamed') return undefined
  return to === '' ? undefined : { path: to, parent: toParent, after }
}

/** Whether other changes depend on the order of the two steps, or on what the first one made. */
function isNeededByOthers(
  db: Database,
  { root, userId }: UserOfRoot,
  first: NumberedStep,
  next: NumberedStep,
): boolean {
  if (next.to !== '') {
    const between = `j.id > ${first.entry} AND j.id < ${next.entry}`
    return wasTouched(db, { first: first.entry, root, path: next.to }, between)
  }
  const isFolder = first.isFolder || next.isFolder
  const touch = { first: first.entry, root, path: first.path }
  return isFolder && wasTouched(db, touch, `j.user_id <> ${userId}`)
}

function updateStep(db: Database, step: NumberedStep): void {
  db.query(
    `UPDATE journal_steps SET path = $path, target = $to, parent = $parent,
       target_parent = $toParent, after = $after WHERE entry = $entry AND number = $number`,
  ).run({
    path: step.path,
    to: step.to,
    parent: step.parent,
    toParent: step.toParent,
    after: step.after,
    entry: step.entry,
    number: step.number,
  })
}

function removeStep(db: Database, { entry, number }: NumberedStep): void {
  db.query('DELETE FROM journal_steps WHERE entry = ? AND number = ?').run(entry, number)
  const left = db.query('SELECT 1 FROM journal_steps WHERE entry = ? LIMIT 1').get(entry)
  if (left === null) markDeleted(db, entry)
}

function markDeleted(db: Database, entry: number): void {
  db.query(`UPDATE journal SET is_done = ${DELETED} WHERE id = ?`).run(entry)
}

function numbered(row: Row): NumberedStep {
  return { ...toStep(row), entry: row.entry, number: row.number }
}
