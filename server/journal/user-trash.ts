/** The trash and the earlier versions of files as a user may see them: lists, restores and deletes items. */
import { mayManage } from '#server/access/policy.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import type { TrashItem } from '#server/access/scope/trash-item.ts'
import type { TrashRows } from '#server/db/rows/trash.ts'
import type { StoredTrashItem } from '#server/db/rows/trash-items.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { isInside, relativePath, type TreePath } from '#wire/paths.ts'
import { inTree } from './changed-folders.ts'
import type { Trash } from './trash.ts'

/** Other events are handled after so many rows, however few of them match. */
const YIELD_EVERY = 1000

interface UserTrashDeps {
  /** The path of the served folder on the disk. */
  root: string
  trashRows: TrashRows
  trash: Trash
}

export interface PurgeOptions {
  /** Called with the path of each deleted item. */
  onPurged(path: TreePath): Promise<void>
  /** Whether items whose file system is not mounted are removed from the list, and their content stays there. */
  forgetsAway?: boolean
}

export class UserTrash {
  readonly #deps: UserTrashDeps

  constructor(deps: UserTrashDeps) {
    this.#deps = deps
  }

  /** @throws Fault notFound (also if the actor may not see the item) */
  #toItem(scope: Scope, item: StoredTrashItem | undefined): TrashItem {
    if (!item || !isVisible(scope, item))
      throw new Fault('notFound', 'The trash does not contain this item.')
    return trashItemOf(scope, item)
  }

  async getTrashItem(scope: Scope, id: number): Promise<TrashItem> {
    const item = await this.#deps.trashRows.find(this.#deps.root, id)
    return this.#toItem(scope, item?.role === 'trash' ? item : undefined)
  }

  /**
   * Restores an item from the trash under its old name or another one.
   *
   * @returns the number of public shares that are open again
   * @throws as `ScopeTrash.restore`
   */
  async restore(
    scope: Scope,
    id: number,
    to: TreePath | undefined,
    options: { parents: boolean },
  ): Promise<number> {
    const item = await this.getTrashItem(scope, id)
    const { real: restored, shares } = (await scope.trash?.restore(
      item,
      to ?? item.path,
      options,
    )) ?? { real: item.path, shares: 0 }
    const { root, trashRows } = this.#deps
    if (restored !== item.path) {
      const oldPath = inTree(item.path, scope.actor.scope)
      const newPath = inTree(restored, scope.actor.scope)
      await trashRows.moveVersions(root, oldPath, newPath, id)
    }
    await trashRows.removeLazily(item.name)
    return shares
  }

  /**
   * Replaces a file by one of its versions.
   * @throws as `ScopeTrash.restoreVersion`
   */
  async restoreVersion(scope: Scope, id: number, path: TreePath): Promise<void> {
    const item = await this.getVersion(scope, id, path)
    await scope.trash?.restoreVersion(item)
    await this.#deps.trashRows.removeLazily(item.name)
  }

  /** @throws Fault notFound (also if the actor may not see the version) */
  async getVersion(scope: Scope, id: number, path: TreePath): Promise<TrashItem> {
    const { root, trashRows } = this.#deps
    const all = await trashRows.listVersions(root, inTree(path, scope.actor.scope))
    const version = all.find((one) => one.id === id)
    if (!version || !isVisible(scope, version))
      throw new Fault('notFound', 'There is no such version of this file.')
    return trashItemOf(scope, version)
  }

  /**
   * @param before only items with a smaller id, which are older
   * @returns the items of the trash that the actor may see, newest first
   */
  async list(scope: Scope, before: number, limit: number): Promise<StoredTrashItem[]> {
    const { root, trashRows } = this.#deps
    const items: StoredTrashItem[] = []
    for (let next = before; items.length < limit; ) {
      const page = await trashRows.listTrash(root, scope.actor.scope, next, YIELD_EVERY)
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
    const all = await trashRows.listVersions(root, inTree(real, scope.actor.scope))
    return all.filter((version) => isVisible(scope, version))
  }

  /** @returns when the oldest version of a file was replaced, in milliseconds; undefined without versions */
  async oldestVersionMs(path: TreePath): Promise<number | undefined> {
    return (await this.#deps.trashRows.listVersions(this.#deps.root, path)).at(-1)?.atMs
  }

  /**
   * Deletes permanently all items that the actor may delete, as `purgeEach`.
   *
   * @throws as `purgeEach`
   */
  async purgeAll(scope: Scope, options: PurgeOptions): Promise<void> {
    const all = await this.list(scope, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    const own = all.filter(({ userId }) => mayManage(scope.actor, userId)).map(({ id }) => id)
    // Another request, or the limits of the trash, may have deleted an item since then.
    await this.purgeEach(scope, own, options, 'ignoreMissing')
  }

  /**
   * Deletes items permanently, also those after one that cannot be deleted now.
   *
   * @throws Fault notFound, forbidden, unavailable (the file system of an item is not mounted)
   */
  async purgeEach(
    scope: Scope,
    ids: readonly number[],
    { onPurged, forgetsAway = false }: PurgeOptions,
    missing?: 'ignoreMissing',
  ): Promise<void> {
    let away: Fault | undefined
    for (const id of ids) {
      await this.#purge(scope, id, forgetsAway).then(onPurged, (error) => {
        if (missing && isFault(error, 'notFound')) return
        if (!isFault(error, 'unavailable')) throw error
        away = error
      })
    }
    if (away) throw away
  }

  /**
   * Deletes an item permanently: one that the user deleted, or any item for an administrator.
   *
   * @param forgetsAway whether an item whose file system is not mounted is removed from the list. Its content stays there,
   *   and is listed again by its record if the file system comes back.
   * @returns the path that it had
   * @throws Fault notFound, forbidden
   */
  async #purge(scope: Scope, id: number, forgetsAway: boolean): Promise<TreePath> {
    const stored = await this.#deps.trashRows.find(this.#deps.root, id)
    const item = this.#toItem(scope, stored)
    if (!mayManage(scope.actor, stored?.userId)) {
      throw new Fault(
        'forbidden',
        'Only an administrator, or the user who deleted this item, can delete it permanently.',
      )
    }
    try {
      await scope.trash?.discard(item)
      if (stored?.role === 'trash') await this.#deps.trash.discardVersions(stored)
    } catch (error) {
      // The rights were checked before the disk was asked.
      if (!forgetsAway || !isFault(error, 'unavailable')) throw error
      const versions = stored?.role === 'trash' ? await this.#deps.trashRows.versionsOf(stored) : []
      for (const { name } of versions) await this.#deps.trashRows.removeLazily(name)
    }
    await this.#deps.trashRows.removeLazily(item.name)
    return item.path
  }
}

/** The item with its path in the scope. */
function trashItemOf(scope: Scope, item: StoredTrashItem): TrashItem {
  const { name, path, isFolder, shares } = item
  return { name, path: relativePath(path, scope.actor.scope), isFolder, shares }
}

/** Whether the actor may see the original path of an item, and the present path of a version. */
function isVisible({ actor: { scope }, trash }: Scope, item: StoredTrashItem): boolean {
  return [item.path, item.originalPath].every(
    (path) => isInside(path, scope) && trash?.isVisible(relativePath(path, scope)) === true,
  )
}
