/** Undoes journal entries, with the user's present rights. */
import { mayManage } from '#server/access/policy.ts'
import type { Scope } from '#server/access/scope.ts'
import type { AssumedMarks } from '#server/access/step-inverter.ts'
import type { PastStep } from '#server/access/trash-item.ts'
import type { JournalRows } from '#server/db/journal.ts'
import type { StoredEntry } from '#server/db/journal-rows.ts'
import type { TrashRows } from '#server/db/trash.ts'
import { Fault } from '#wire/fault.ts'
import { isInside, relativePath, type TreePath } from '#wire/paths.ts'
import { refuseChangedFolders } from './changed-folders.ts'
import { pastSteps } from './past-steps.ts'
import type { Trash } from './trash.ts'

/** Other events are handled after so many steps. */
const YIELD_EVERY = 1000

export interface UndoDeps {
  /** The path of the served folder on the disk. */
  root: string
  rows: JournalRows
  trashRows: TrashRows
  trash: Trash
  /** A scope with all rights, which rolls back undos that stopped halfway. */
  repairScope(): Scope
}

export interface Outcome {
  entry: StoredEntry
  /** Why the entry is not undone; undefined if it is undone or, in a dry run, would be. */
  problem: Fault | undefined
}

/** Undos that a dry run assumes for the check of older entries. */
interface AssumedUndos {
  entries: Set<number>
  marks: AssumedMarks
}

export class Undo {
  readonly #deps: UndoDeps

  constructor(deps: UndoDeps) {
    this.#deps = deps
  }

  /**
   * Undoes an entry. If it was undone and redone, the redo is undone. An undo that fails halfway is rolled back.
   * @returns the number of the new entry that records the undo
   * @throws Fault notFound (also for another user's entry), forbidden (another user has undone or repeated the change, or
   *   a right is missing), conflict (already undone), precondition (changed since), expired (content is no longer kept),
   *   unavailable (not mounted), unsupported (no trash)
   */
  async undo(scope: Scope, id: number): Promise<number> {
    const { last, isInEffect } = this.#lastOf(scope, id)
    if (!isInEffect)
      throw new Fault('conflict', 'This change is already undone.', { reason: 'alreadyUndone' })
    return this.#invertOrRollBack(scope, last)
  }

  /**
   * Applies again what was undone.
   * @throws as `undo`; conflict if the entry is not undone
   */
  async redo(scope: Scope, id: number): Promise<number> {
    const { last, isInEffect } = this.#lastOf(scope, id)
    if (isInEffect) throw new Fault('conflict', 'This change was not undone.')
    return this.#invertOrRollBack(scope, last)
  }

  /**
   * Rolls back undos that stopped halfway, so that changes are complete again; with `of` only undos of this entry.
   * @throws as `undo`
   */
  async rollBack(of?: number): Promise<void> {
    const { root, rows, repairScope } = this.#deps
    const faults: unknown[] = []
    for (const partial of rows.partialUndos(root, of)) {
      await this.#invert(repairScope(), partial).catch((error) => faults.push(error))
    }
    if (faults.length > 0) throw faults[0]
  }

  /**
   * Undoes several entries, the newest first, except undos and entries that are undone already.
   * @param isDry whether only to report what would happen
   */
  async undoAll(scope: Scope, entries: readonly StoredEntry[], isDry: boolean): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    const assumed: AssumedUndos = { entries: new Set(), marks: new Map() }
    for (const entry of entries) {
      if (entry.undoneBy !== 0 || entry.verb === 'undo') continue
      const undo: Promise<unknown> = isDry
        ? this.#check(scope, entry, assumed)
        : this.undo(scope, entry.id)
      outcomes.push({ entry, problem: await undo.then(() => undefined, reasonOf) })
    }
    return outcomes
  }

  /** Throws what `undo` would throw, and adds the undo to the assumed ones. */
  async #check(scope: Scope, entry: StoredEntry, assumed: AssumedUndos): Promise<void> {
    const steps = await this.#steps(scope, entry)
    await refuseChangedFolders(entry, steps, scope, { ...this.#deps, undone: assumed.entries })
    await scope.trash?.check(steps, assumed.marks)
    assumed.entries.add(entry.id)
  }

  async #invertOrRollBack(scope: Scope, entry: StoredEntry): Promise<number> {
    await this.rollBack(entry.id)
    try {
      return await this.#invert(scope, entry)
    } catch (error) {
      // A failure of the rollback is ignored: the next undo of the entry and the next start try it again.
      await this.rollBack(entry.id).catch(() => undefined)
      throw error
    }
  }

  async #invert(scope: Scope, entry: StoredEntry): Promise<number> {
    const verb = entry.verb === 'undo' ? 'redo' : 'undo'
    const steps = await this.#steps(scope, entry)
    await refuseChangedFolders(entry, steps, scope, this.#deps)
    if (!scope.trash) throw new Fault('unsupported', 'This server has no trash.')
    const names = steps.flatMap(({ kept }) => kept || [])
    try {
      await scope.trash.invert(steps, { of: entry.id, verb })
    } catch (error) {
      this.#deps.trash.deleteMissingRows(names)
      throw error
    }
    for (const name of names) this.#deps.trashRows.remove(name)
    return scope.entries.at(-1) ?? 0
  }

  /**
   * Follows an entry through its undo, its redo, the undo of that, and so on.
   *
   * @returns the last of them, and whether the changes of the first are in effect
   * @throws Fault notFound, forbidden
   */
  #lastOf(scope: Scope, id: number): { last: StoredEntry; isInEffect: boolean } {
    let last = this.#get(id)
    // Another user's entry is reported as missing.
    if (!mayManage(scope.actor, last.userId)) throw noEntry(id)
    let isInEffect = true
    while (last.undoneBy !== 0) {
      last = this.#get(last.undoneBy)
      if (!mayManage(scope.actor, last.userId)) {
        throw new Fault('forbidden', 'Another user has undone or repeated this change.')
      }
      isInEffect = !isInEffect
    }
    return { last, isInEffect }
  }

  /** @throws Fault notFound */
  #get(id: number): StoredEntry {
    const entry = this.#deps.rows.find(this.#deps.root, id)
    if (entry) return entry
    throw noEntry(id)
  }

  async #steps({ actor }: Scope, entry: StoredEntry): Promise<PastStep[]> {
    const inScope = (path: TreePath) => {
      if (isInside(path, actor.scope)) return relativePath(path, actor.scope)
      throw new Fault('forbidden', 'This change is outside your home folder.')
    }
    const past: PastStep[] = []
    for (const [index, step] of pastSteps(this.#deps.rows, entry.id).entries()) {
      if (index % YIELD_EVERY === 0) await new Promise(setImmediate)
      const { path, to, kept, ...same } = step
      // Content that the trash has deleted is not looked up.
      const item = kept === '' ? undefined : this.#deps.trashRows.findByName(kept)
      past.push({
        ...same,
        path: inScope(path),
        ...(to === '' ? {} : { to: inScope(to) }),
        kept: item?.name ?? '',
        shares: item?.shares ?? '',
      })
    }
    return past
  }
}

function noEntry(id: number): Fault {
  return new Fault('notFound', `There is no entry ${id} in the journal.`)
}

/** @returns an expected fault, which is a reason not to undo; throws other errors */
function reasonOf(error: unknown): Fault {
  if (error instanceof Fault && error.code !== 'internal') return error
  throw error
}
