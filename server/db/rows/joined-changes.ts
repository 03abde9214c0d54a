/**
 * Joins changes of one user to one file, or of one name, that follow each other: the earlier step then leads to the result of
 * the later one, whose entry is deleted. An undo brings back what was there before all of them. So many further
 * changes do not remove the first one from the journal.
 */
import type { Database } from '../database.ts'
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
   * Joins changes of each user with more entries or bytes than they can keep, the oldest first, without a flush.
   *
   * @param count how many entries of a user are compared with the ones before
   * @returns whether there may be more
   */
  async joinSome(root: string, limits: JournalLimits, count: number): Promise<boolean> {
    const compared = await this.#db.lazily(async () => {
      const last = new Map<number, number>()
      for (const { userId } of await usersBeyond(this.#db, root, limits)) {
        const entry = await this.#joinOf({ root, userId }, count)
        if (entry !== undefined) last.set(userId, entry)
      }
      return last
    })
    for (const [userId, entry] of compared) this.#lastByUser.set(userId, entry)
    return compared.size > 0
  }

  /** @returns the last entry that was compared; undefined if all entries of the user were */
  async #joinOf(user: UserOfRoot, count: number): Promise<number | undefined> {
    const after = this.#lastByUser.get(user.userId) ?? 0
    const candidates = await this.#db
      .query<Row, Record<string, string | number>>(
        `SELECT s.* FROM journal j CROSS JOIN journal_steps s
         WHERE s.entry = j.id AND ${IS_OF_USER} AND ${IS_IN_EFFECT} AND j.id > $after AND s.kind <> 'made' AND ${HAS_ONE_STEP}
         ORDER BY j.id LIMIT $count`,
      )
      .all({ ...user, after, count })
    for (const row of candidates) await joinWithPrevious(this.#db, user, numbered(row))
    return candidates.at(-1)?.entry
  }
}

/** Joins an entry with the change before, if it is one of the same user to the same file or name. */
export async function joinEntry(db: Database, entry: number): Promise<void> {
  const row = await db
    .query<Row & { root: string; user_id: number }, [number]>(
      `SELECT s.*, j.root, j.user_id FROM journal j CROSS JOIN journal_steps s
       WHERE s.entry = j.id AND j.id = ? AND ${IS_IN_EFFECT} AND s.kind <> 'made' AND ${HAS_ONE_STEP}`,
    )
    .get(entry)
  if (row) await joinWithPrevious(db, { root: row.root, userId: row.user_id }, numbered(row))
}

async function joinWithPrevious(db: Database, user: UserOfRoot, step: NumberedStep): Promise<void> {
  const previous = await previousOf(db, user, step)
  const result = previous && joined(previous, step)
  if (!result || (await isNeededByOthers(db, user, previous, step))) return
  if (result === 'nothing') await removeStep(db, previous)
  else await updateStep(db, { ...previous, ...result })
  await markDeleted(db, step.entry)
}

/** The last step of the user that left the object as this step found it. */
async function previousOf(
  db: Database,
  user: UserOfRoot,
  step: NumberedStep,
): Promise<NumberedStep | undefined> {
  const { entry, path, before } = step
  if (before === '') return undefined
  // One query for each index.
  const parts = [`s.path = $path AND s.target = ''`, `s.target = $path AND s.target <> ''`].map(
    (match) =>
      `SELECT s.* FROM journal_steps s CROSS JOIN journal j
       WHERE j.id = s.entry AND ${match} AND s.after = $before AND s.entry < $entry AND ${IS_OF_USER} AND ${IS_IN_EFFECT}`,
  )
  const row = await db
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
async function isNeededByOthers(
  db: Database,
  { root, userId }: UserOfRoot,
  first: NumberedStep,
  next: NumberedStep,
): Promise<boolean> {
  if (next.to !== '') {
    const between = `j.id > ${first.entry} AND j.id < ${next.entry}`
    return await wasTouched(db, { first: first.entry, root, path: next.to }, between)
  }
  const isFolder = first.isFolder || next.isFolder
  const touch = { first: first.entry, root, path: first.path }
  return isFolder && (await wasTouched(db, touch, `j.user_id <> ${userId}`))
}

async function updateStep(db: Database, step: NumberedStep): Promise<void> {
  await db
    .query(
      `UPDATE journal_steps SET path = $path, target = $to, parent = $parent,
       target_parent = $toParent, after = $after WHERE entry = $entry AND number = $number`,
    )
    .run({
      path: step.path,
      to: step.to,
      parent: step.parent,
      toParent: step.toParent,
      after: step.after,
      entry: step.entry,
      number: step.number,
    })
}

async function removeStep(db: Database, { entry, number }: NumberedStep): Promise<void> {
  await db.query('DELETE FROM journal_steps WHERE entry = ? AND number = ?').run(entry, number)
  const left = await db.query('SELECT 1 FROM journal_steps WHERE entry = ? LIMIT 1').get(entry)
  if (left === null) await markDeleted(db, entry)
}

async function markDeleted(db: Database, entry: number): Promise<void> {
  await db.query(`UPDATE journal SET is_done = ${DELETED} WHERE id = ?`).run(entry)
}

function numbered(row: Row): NumberedStep {
  return { ...toStep(row), entry: row.entry, number: row.number }
}
