/** Undoes journal entries and restores items from the trash, with the user's present rights. */
import { mayManage } from '#server/access/policy.ts'
import type { Scope } from '#server/access/scope.ts'
import type { AssumedMarks } from '#server/access/step-inverter.ts'
import type { PastStep, TrashItem } from '#server/access/trash-item.ts'
import type { JournalRows } from '#server/db/journal.ts'
import type { StoredEntry } from '#server/db/journal-rows.ts'
import type { StoredTrashItem, TrashRows } from '#server/db/trash.ts'
import { Fault } from '#wire/fault.ts'
import { isInside, relativePath, type TreePath } from '#wire/paths.ts'
import { inTree, refuseChangedFolders } from './changed-folders.ts'
import { pastSteps } from './past-steps.ts'
import type { Trash } from './trash.ts'

/** Other events are handled after so many rows, however few of them match. */
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

export class Undo {
  readonly #deps: UndoDeps

  constructor(deps: UndoDeps) {
    this.#deps = deps
  }

  /**
   * Undoes an entry. If it was undone and redone, the redo is undone. An undo that fails halfway is rolled back.
   * @returns the number of the new entry that records the undo
   * @throws Fault notFound, forbidden (another user's entry, or a missing right), conflict (already undone),
   *   precondition (changed since), expired (content is no longer kept), unavailable (not mounted), unsupported (no trash)
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
    const marks = isDry ? new Map() : undefined
    for (const entry of entries) {
      if (entry.undoneBy !== 0 || entry.verb === 'undo') continue
      outcomes.push({ entry, problem: await this.#tryUndo(scope, entry, marks) })
    }
    return outcomes
  }

  /** @throws Fault notFound (also if the actor may not see the item) */
  toItem(scope: Scope, item: StoredTrashItem | undefined): TrashItem {
    if (!item || !isVisible(scope, item)) throw notInTrash()
    const path = relativePath(item.path, scope.actor.scope)
    const { name, isFolder, shares } = item
    return { name, path, isFolder, shares }
  }

  getTrashItem(scope: Scope, id: number): TrashItem {
    const item = this.#deps.trashRows.find(this.#deps.root, id)
    return this.toItem(scope, item?.role === 'trash' ? item : undefined)
  }

  /**
   * Restores an item from the trash under its old name or another one.
   * @throws as `ScopeTrash.restore`
   */
  async restore(
    scope: Scope,
    id: number,
    to: TreePath | undefined,
    options: { parents: boolean },
  ): Promise<void> {
    const item = this.getTrashItem(scope, id)
    await scope.trash?.restore(item, to ?? item.path, options)
    const { root, trashRows } = this.#deps
    if (to !== undefined && to !== item.path) {
      const oldPath = inTree(item.path, scope.actor.scope)
      const newPath = inTree(to, scope.actor.scope)
      trashRows.moveVersions(root, oldPath, newPath, id)
    }
    trashRows.remove(item.name)
  }

  /**
   * Replaces a file by one of its versions.
   * @throws as `ScopeTrash.restoreVersion`
   */
  async restoreVersion(scope: Scope, id: number, path: TreePath): Promise<void> {
    const item = this.getVersion(scope, id, path)
    await scope.trash?.restoreVersion(item)
    this.#deps.trashRows.remove(item.name)
  }

  getVersion(scope: Scope, id: number, path: TreePath): TrashItem {
    const { root, trashRows } = this.#deps
    const all = trashRows.listVersions(root, inTree(path, scope.actor.scope))
    return this.toItem(
      scope,
      all.find((version) => version.id === id),
    )
  }

  /**
   * @param before only items with a smaller id, which are older
   * @returns the items of the trash that the actor may see, newest first
   */
  async list(scope: Scope, before: number, limit: number): Promise<StoredTrashItem[]> {
    const { root, trashRows } = this.#deps
    const items: StoredTrashItem[] = []
    for (let next = before; items.length < limit; ) {
      const page = trashRows.listTrash(root, scope.actor.scope, next, YIELD_EVERY)
      for (const item of page) {
        const isListed = scope.trash?.isVisible(relativePath(item.path, scope.actor.scope))
        if (isListed && items.length < limit) items.push(item)
      }
      if (page.length < YIELD_EVERY) break
      next = page.at(-1)?.id ?? 0
      await new Promise(setImmediate)
    }
    return items
  }

  /**
   * @returns earlier contents of a file, newest first
   * @throws Fault forbidden, notFound
   */
  async versions(scope: Scope, path: TreePath): Promise<StoredTrashItem[]> {
    const { real } = await scope.stat(path)
    const { root, trashRows } = this.#deps
    const all = trashRows.listVersions(root, inTree(real, scope.actor.scope))
    return all.filter((version) => isVisible(scope, version))
  }

  /** @returns all items that the actor may delete permanently */
  async purgeable(scope: Scope): Promise<StoredTrashItem[]> {
    const all = await this.list(scope, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    return all.filter(({ userId }) => mayManage(scope.actor, userId))
  }

  /**
   * Deletes an item permanently: one that the user deleted, or any item for an administrator.
   * @throws Fault notFound, forbidden
   */
  async purge(scope: Scope, id: number): Promise<void> {
    const stored = this.#deps.trashRows.find(this.#deps.root, id)
    const item = this.toItem(scope, stored)
    if (!mayManage(scope.actor, stored?.userId)) {
      throw new Fault(
        'forbidden',
        'Only an administrator, or the user who deleted this item, can delete it permanently.',
      )
    }
    await scope.trash?.discard(item)
    this.#deps.trashRows.remove(item.name)
    if (stored?.role === 'trash') await this.#deps.trash.discardVersions(stored)
  }

  /** @param marks for a dry run: the marks that paths would have after the undos so far; undefined to undo */
  async #tryUndo(
    scope: Scope,
    entry: StoredEntry,
    marks: AssumedMarks | undefined,
  ): Promise<Fault | undefined> {
    try {
      if (marks) await scope.trash?.check(await this.#steps(scope, entry), marks)
      else await this.undo(scope, entry.id)
      return undefined
    } catch (error) {
      if (error instanceof Fault && error.code !== 'internal') return error
      throw error
    }
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
    let last = this.#entry(scope, id)
    let isInEffect = true
    while (last.undoneBy !== 0) {
      last = this.#entry(scope, last.undoneBy)
      isInEffect = !isInEffect
    }
    return { last, isInEffect }
  }

  /** @throws Fault notFound, forbidden */
  #entry(scope: Scope, id: number): StoredEntry {
    const entry = this.#deps.rows.find(this.#deps.root, id)
    if (!entry) throw new Fault('notFound', `There is no entry ${id} in the journal.`)
    if (!mayManage(scope.actor, entry.userId)) {
      throw new Fault('forbidden', 'Another user made this change.')
    }
    return entry
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

/** Whether the actor may see the original path of an item, and the present path of a version. */
function isVisible({ actor: { scope }, trash }: Scope, item: StoredTrashItem): boolean {
  return [item.path, item.originalPath].every(
    (path) => isInside(path, scope) && trash?.isVisible(relativePath(path, scope)) === true,
  )
}

function notInTrash(): Fault {
  return new Fault('notFound', 'The trash does not contain this item.')
}
