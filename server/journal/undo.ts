/**
 * Undoes journal entries, with the user's present rights. The paths of an entry are real paths: no link in them is
 * followed, and the folder of a step must be the one that it was.
 *
 * An undo that stopped halfway is rolled back. If that is refused, for example because a folder is not at its path, the
 * undo stays recorded with its kept content. It is rolled back when the folder is there again: by the next undo of the
 * entry, the maintenance, or the next start.
 */

import { mayManage } from '#server/access/policy.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import { type Assumed, nothingAssumed } from '#server/access/scope/step-inverter.ts'
import type { PastStep } from '#server/access/scope/trash-item.ts'
import type { JournalRows } from '#server/db/rows/journal.ts'
import type { StoredEntry, StoredStep } from '#server/db/rows/journal-rows.ts'
import type { TrashRows } from '#server/db/rows/trash.ts'
import type { StoredTrashItem } from '#server/db/rows/trash-items.ts'
import { pacer } from '#server/lib/slices.ts'
import type { Mark } from '#server/storage/step.ts'
import { Fault } from '#wire/fault.ts'
import { isInside, ROOT, relativePath, type TreePath } from '#wire/paths.ts'
import { refuseChangedFolders } from './changed-folders.ts'
import type { Journal } from './journal.ts'
import { withLeftFolders } from './left-folders.ts'
import { pastSteps } from './past-steps.ts'
import type { Trash } from './trash.ts'

export interface UndoDeps {
  /** The path of the served folder on the disk. */
  root: string
  rows: JournalRows
  trashRows: TrashRows
  trash: Trash
  journal: Pick<Journal, 'recover'>
  /** Called for each undo of an earlier process that is rolled back. */
  recovered?(): void
  /** A scope with all rights in a folder, which rolls back undos that stopped halfway. */
  repairScope(folder: TreePath): Scope
}

export interface Outcome {
  entry: StoredEntry
  /** Why the entry is not undone; undefined if it is undone or, in a dry run, would be. */
  problem: Fault | undefined
}

/** Undos that a dry run assumes for the check of older entries. */
interface AssumedUndos extends Assumed {
  entries: Set<number>
}

function noUndos(): AssumedUndos {
  return { entries: new Set(), ...nothingAssumed() }
}

export class Undo {
  readonly #deps: UndoDeps
  #log: ((line: string) => void) | undefined
  /** Undos that were logged because they cannot be rolled back now. */
  readonly #logged = new Set<number>()

  constructor(deps: UndoDeps) {
    this.#deps = deps
  }

  /** @param log receives one line for each undo that stopped halfway and cannot be rolled back yet */
  listen(log: (line: string) => void): void {
    this.#log = log
  }

  /**
   * Undoes an entry. If it was undone and redone, the redo is undone. An undo that fails halfway is rolled back.
   * @returns the number of the new entry that records the undo
   * @throws Fault notFound (also for another user's entry), forbidden (another user has undone or repeated the change, or
   *   a right is missing), conflict (already undone), precondition (changed since), outside (a link has replaced a folder),
   *   expired (content is no longer kept), unavailable (not mounted), unsupported (no trash). The message says if the undo
   *   stopped halfway.
   */
  async undo(scope: Scope, id: number): Promise<number> {
    const { last, isInEffect } = await this.#lastOf(scope, id)
    if (!isInEffect)
      throw new Fault('conflict', 'This change is already undone.', { reason: 'alreadyUndone' })
    return this.#invertOrRollBack(scope, last)
  }

  /**
   * Applies again what was undone.
   * @throws as `undo`; conflict if the entry is not undone
   */
  async redo(scope: Scope, id: number): Promise<number> {
    const { last, isInEffect } = await this.#lastOf(scope, id)
    if (isInEffect) throw new Fault('conflict', 'This change was not undone.')
    return this.#invertOrRollBack(scope, last)
  }

  /**
   * Rolls back undos that stopped halfway, so that changes are complete again; with `of` only undos of this entry, and
   * what was undone of them. Each is rolled back in the scope that it was made in.
   * @throws as `undo`
   */
  async rollBack(of?: number): Promise<void> {
    const { root, rows, journal, repairScope } = this.#deps
    const undecided = await journal.recover()
    const halfDone = [...undecided, ...(await rows.partialUndos(root))].toSorted(
      (a, b) => b.id - a.id,
    )
    const faults: unknown[] = []
    for (const partial of of === undefined ? halfDone : undosOf(of, halfDone)) {
      const scope = repairScope(partial.scope || ROOT)
      try {
        if (undecided.includes(partial)) await this.#refuseUndecided(scope, partial)
        await this.#invert(scope, partial)
        this.#logged.delete(partial.id)
        if (of === undefined) this.#deps.recovered?.()
      } catch (error) {
        faults.push(error)
        this.#logOnce(partial, error)
      }
    }
    const [fault] = faults
    if (fault !== undefined) throw fault instanceof Fault ? stoppedHalfway(fault) : fault
  }

  /**
   * Undoes several entries, the newest first, except undos and entries that are undone already.
   * @param isDry whether only to report what would happen
   */
  async undoAll(scope: Scope, entries: readonly StoredEntry[], isDry: boolean): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    const assumed = noUndos()
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
    await scope.trash?.check(steps, assumed)
    assumed.entries.add(entry.id)
  }

  /** Throws why the state of an undo is not known; the check of its steps finds the reason. */
  async #refuseUndecided(scope: Scope, entry: StoredEntry): Promise<never> {
    await this.#check(scope, entry, noUndos())
    throw new Fault('precondition', 'A folder of this change is not at its path.', {
      reason: 'undoMoved',
    })
  }

  async #invertOrRollBack(scope: Scope, entry: StoredEntry): Promise<number> {
    await this.rollBack(entry.id)
    try {
      return await this.#invert(scope, entry)
    } catch (error) {
      const isRolledBack = await this.rollBack(entry.id).then(
        () => true,
        () => false,
      )
      throw isRolledBack || !(error instanceof Fault) ? error : stoppedHalfway(error)
    }
  }

  #logOnce({ id, undoOf }: StoredEntry, error: unknown): void {
    if (!this.#log || this.#logged.has(id)) return
    this.#logged.add(id)
    this.#log(`the undo of entry ${undoOf} stopped halfway, and cannot be reversed yet: ${error}`)
  }

  /** Whether the trash does not have content any more that the undo of an entry needs. */
  async lacksContent({ id }: Pick<StoredEntry, 'id'>): Promise<boolean> {
    const { rows } = this.#deps
    // Few entries lack something at first sight; it may be in the trash again, under another name.
    if (!(await rows.namesMissingContent(id))) return false
    const keptItem = this.#keptItems(id)
    for (const step of await pastSteps(rows, id)) {
      const needsContent = step.kind === 'removed' || step.kind === 'replaced'
      if (needsContent && (await keptItem(step)) === undefined) return true
    }
    return false
  }

  async #invert(scope: Scope, entry: StoredEntry): Promise<number> {
    const verb = entry.verb === 'undo' ? 'redo' : 'undo'
    const own = await this.#steps(scope, entry)
    await refuseChangedFolders(entry, own, scope, this.#deps)
    const steps = await withLeftFolders(entry, own, scope, this.#deps.rows)
    if (!scope.trash) throw new Fault('unsupported', 'This server has no trash.')
    const names = steps.flatMap(({ kept }) => kept || [])
    try {
      await scope.trash.invert(steps, { of: entry.id, verb })
    } catch (error) {
      await this.#deps.trash.deleteMissingRows(names)
      throw error
    }
    await Promise.all(names.map((name) => this.#deps.trashRows.removeLazily(name)))
    return scope.entries.at(-1) ?? 0
  }

  /**
   * Follows an entry through its undo, its redo, the undo of that, and so on.
   *
   * @returns the last of them, and whether the changes of the first are in effect
   * @throws Fault notFound, forbidden
   */
  async #lastOf(scope: Scope, id: number): Promise<{ last: StoredEntry; isInEffect: boolean }> {
    let last = await this.#get(id)
    // Another user's entry is reported as missing.
    if (!mayManage(scope.actor, last.userId)) throw noEntry(id)
    let isInEffect = true
    while (last.undoneBy !== 0) {
      last = await this.#get(last.undoneBy)
      if (!mayManage(scope.actor, last.userId)) {
        throw new Fault('forbidden', 'Another user has undone or repeated this change.')
      }
      isInEffect = !isInEffect
    }
    return { last, isInEffect }
  }

  /** @throws Fault notFound */
  async #get(id: number): Promise<StoredEntry> {
    const entry = await this.#deps.rows.find(this.#deps.root, id)
    if (entry) return entry
    throw noEntry(id)
  }

  async #steps({ actor }: Scope, entry: StoredEntry): Promise<PastStep[]> {
    const inScope = (path: TreePath) => {
      if (isInside(path, actor.scope)) return relativePath(path, actor.scope)
      throw new Fault('forbidden', 'This change is outside your home folder.')
    }
    const past: PastStep[] = []
    const keptItem = this.#keptItems(entry.id)
    const pace = pacer()
    for (const step of await pastSteps(this.#deps.rows, entry.id)) {
      await pace()
      const { path, to, ...same } = step
      const item = await keptItem(step)
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

  /** @returns a function that finds the content of a step of an entry in the trash; undefined if it is not there */
  #keptItems(
    entry: number,
  ): (step: Pick<StoredStep, 'kept' | 'before'>) => Promise<StoredTrashItem | undefined> {
    const { root, rows, trashRows } = this.#deps
    let again: ReadonlyMap<Mark, string> | undefined
    /** Content that a restore took out of the trash, and the undo of the restore put back under another name. */
    const keptAgain = async (before: Mark) => {
      again ??= await rows.keptAgain(root, entry)
      return trashRows.findByName(again.get(before) ?? '')
    }
    // Content that the trash has deleted is not looked up.
    return async ({ kept, before }) =>
      kept === '' ? undefined : ((await trashRows.findByName(kept)) ?? (await keptAgain(before)))
  }
}

/** @returns of undos that stopped halfway, newest first, those of an entry, the undos of these, and so on */
function undosOf(entry: number, halfDone: readonly StoredEntry[]): StoredEntry[] {
  const related = new Set([entry])
  for (const { id, undoOf } of halfDone.toReversed()) if (related.has(undoOf)) related.add(id)
  return halfDone.filter(({ id }) => related.has(id))
}

/** For an undo that stopped halfway and cannot be rolled back now. @param fault the reason */
function stoppedHalfway(fault: Fault): Fault {
  const { code, reason, message } = fault
  const explained = `The undo stopped halfway. It is reversed when that is possible again. ${message}`
  return new Fault(code, explained, { cause: fault, ...(reason && { reason }) })
}

function noEntry(id: number): Fault {
  return new Fault('notFound', `There is no entry ${id} in the journal.`)
}

/** @returns an expected fault, which is a reason not to undo; throws other errors */
function reasonOf(error: unknown): Fault {
  if (error instanceof Fault && error.code !== 'internal') return error
  throw error
}
