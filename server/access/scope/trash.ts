/**
 * The trash and the versions of one scope: restores, reads and deletes them. Present rights and rules are checked for
 * the original path of the content. All paths are recorded real paths, so no link in them is followed: if one has
 * replaced a folder since, it would lead into a folder that the content was never in.
 */

import type { ByteRange, Node, Opened } from '#server/storage/node.ts'
import type { Mark, Step } from '#server/storage/step.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { TrashStore } from '#server/storage/trash-store.ts'
import { Fault } from '#wire/fault.ts'
import { joinPath, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { type Authorization, noAccess } from '../authorization.ts'
import type { PathListener } from '../file-events.ts'
import { mayManage, requireAction } from '../policy.ts'
import type { ChangeRunner } from './change-runner.ts'
import { type Assumed, StepInverter } from './step-inverter.ts'
import type { PastStep, TrashItem } from './trash-item.ts'

/** So many renames at most are recorded together. */
const SLICE = 500

export class ScopeTrash {
  readonly #storage: Storage
  readonly #trash: TrashStore
  readonly #authorization: Authorization
  readonly #runner: ChangeRunner
  readonly #listener: PathListener

  private constructor(
    storage: Storage,
    trash: TrashStore,
    authorization: Authorization,
    runner: ChangeRunner,
    listener: PathListener,
  ) {
    this.#storage = storage
    this.#trash = trash
    this.#authorization = authorization
    this.#runner = runner
    this.#listener = listener
  }

  /** @returns the trash of a scope; undefined if its storage keeps no deleted content */
  static open(
    storage: Storage,
    authorization: Authorization,
    runner: ChangeRunner,
    listener: PathListener,
  ): ScopeTrash | undefined {
    const recorded = storage.within(ROOT, { followsLinks: false })
    const { trash } = recorded.can
    return trash && new ScopeTrash(recorded, trash, authorization, runner, listener)
  }

  /** Whether the actor may see a path, also on a file system that ignores case. */
  isVisible(path: TreePath): boolean {
    const { filter } = this.#authorization
    return filter.isVisible(path) && filter.isVisible(path, true)
  }

  /**
   * Restores a deleted item into the folder that has the path now.
   *
   * @param parents creates the missing folders above it
   * @returns its path, with links resolved, and the number of public shares that are open again: those of the actor,
   *   and for an administrator those of everybody
   * @throws Fault forbidden, outside (a link has replaced a folder of a path), notFound (the content or the folder is
   *   gone), conflict (the name is taken), noSpace, readOnly
   */
  async restore(
    item: TrashItem,
    to: TreePath,
    { parents }: { parents: boolean },
  ): Promise<{ real: TreePath; shares: number }> {
    requireAction(this.#authorization.actor, 'create')
    this.#requireVisible(item.path)
    this.#authorization.requireChangeable(to)
    if (await this.#storage.find(to)) throw new Fault('conflict', 'The name is already taken.')
    if (!parents && !(await this.#storage.find(parentPath(to)))) {
      throw new Fault(
        'notFound',
        'The folder that contained it no longer exists. Restore it together with its missing folders.',
      )
    }
    await this.requireAllowed(item, to)
    const request = {
      event: 'upload',
      verb: 'restore',
      path: item.path,
      to,
      isRepeatable: true,
    } as const
    return this.#runner.run(request, async (recordOptions) => {
      await this.#authorization.recheck('create', item.path, to)
      const mayCreate = () => this.#authorization.check('create', item.path, to)
      if (parents)
        await this.#storage.mkdir(parentPath(to), { ...recordOptions, accept: mayCreate })
      const accept = this.#authorization.acceptAt('create', [to], { overwrite: false })
      const real = await this.#trash.restore(item.name, to, {
        ...recordOptions,
        overwrite: false,
        accept,
      })
      // The user who deleted the folder may have wanted to end its shares, so no other user opens them again.
      const mayReopen = (userId: number) => mayManage(this.#authorization.actor, userId)
      const [from, at] = [this.#inTree(item.path), this.#inTree(real)]
      const shares =
        item.shares && (await this.#listener.restored?.(item.shares, from, at, mayReopen))
      return { real, shares: shares || 0 }
    })
  }

  /**
   * Replaces a file by an earlier version. The replaced content becomes a version itself.
   *
   * @throws Fault forbidden, outside, notFound, isDirectory, noSpace, readOnly
   */
  async restoreVersion(item: TrashItem): Promise<void> {
    const { path } = item
    requireAction(this.#authorization.actor, 'modify')
    this.#authorization.requireChangeable(path)
    this.#requireVisible(path)
    const { kind } = await this.#storage.stat(path)
    if (kind === 'folder') throw new Fault('isDirectory', 'A folder already has this name.')
    const request = { event: 'save', verb: 'restore', path, isRepeatable: true } as const
    await this.#runner.run(request, async (recordOptions) => {
      const accept = () => this.#authorization.check('modify', path)
      await this.#trash.restore(item.name, path, { ...recordOptions, overwrite: true, accept })
    })
  }

  /**
   * Reads an earlier version, or a file in the trash.
   *
   * @throws Fault forbidden, notFound, unsupported
   */
  read(item: TrashItem, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    requireAction(this.#authorization.actor, 'download')
    this.#requireVisible(item.path)
    return this.#trash.read(item.name, item.path, range)
  }

  /**
   * Deletes an item permanently.
   *
   * @throws Fault forbidden, before anything else; unavailable (its file system is not mounted, or does not answer)
   */
  async discard(item: TrashItem): Promise<void> {
    requireAction(this.#authorization.actor, 'purge')
    this.#requireVisible(item.path)
    await this.requireAllowed(item, item.path)
    await this.#trash.discard(item.name)
  }

  /**
   * Reverses past steps, the last first, in one journal entry.
   *
   * @throws Fault forbidden, outside (a link has replaced a folder), precondition (a file has changed since, or its folder
   *   is another one), notFound, expired, unavailable, conflict
   */
  async invert(
    steps: readonly PastStep[],
    undo: { of: number; verb: 'undo' | 'redo' },
  ): Promise<void> {
    const [first] = steps
    if (!first) return
    const { staying } = await this.#inversion().check(steps)
    const request = {
      event: undefined,
      verb: undo.verb,
      path: first.path,
      to: first.to,
      undoOf: undo.of,
      isRepeatable: false,
    }
    await this.#runner.run(request, async (recordOptions) => {
      const inversion = this.#inversion()
      const alreadyRecorded = { ...recordOptions, record: async () => undefined }
      const pending = steps.filter((step) => !staying.has(step)).toReversed()
      for (let step = pending.shift(); step; step = pending.shift()) {
        if (!isRenamed(step)) {
          await inversion.run(step, recordOptions)
          continue
        }
        // Consecutive renames are recorded together.
        const next = pending.findIndex((later) => !isRenamed(later))
        const renames = [step, ...pending.splice(0, next < 0 ? pending.length : next)].filter(
          isRenamed,
        )
        for (let first = 0; first < renames.length; first += SLICE) {
          const slice = renames.slice(first, first + SLICE)
          await recordOptions.record(slice.map(renamedBack))
          for (const renamed of slice) await inversion.run(renamed, alreadyRecorded)
        }
      }
    })
  }

  /**
   * Throws what `invert` would throw, before anything is changed.
   *
   * @param assumed what earlier reversals would leave; what these steps would leave is added
   * @throws as `invert`
   */
  async check(steps: readonly PastStep[], assumed: Assumed): Promise<void> {
    const { marks, trashed } = await this.#inversion().check(steps, assumed)
    for (const [path, mark] of marks) assumed.marks.set(path, mark)
    for (const mark of trashed) assumed.trashed.add(mark)
  }

  /** Whether a path still has the object that a step made there, in the same folder. */
  async hasResultOf({ path, parent, after }: PastStep): Promise<boolean> {
    if (!this.isVisible(path) || (await this.#trash.markAt(path)) !== after) return false
    return parent === '' || (await this.#trash.parentAt(path)) === parent
  }

  /** As `TrashStore.changedSince`. */
  changedSince(folder: TreePath, sinceMs: number, limit: number): Promise<Mark[]> {
    return this.#trash.changedSince(folder, sinceMs, limit)
  }

  /**
   * Checks the rules for all content of an item, at its old and its new path.
   *
   * @throws Fault forbidden
   */
  async requireAllowed(
    item: Pick<TrashItem, 'name' | 'path' | 'isFolder'>,
    to: TreePath,
  ): Promise<void> {
    const { filter } = this.#authorization
    if (!filter.hasRules) return
    const paths = item.isFolder ? this.#trash.paths(item.name) : ['']
    for await (const below of paths) {
      const touched = [joinPath(item.path, below), joinPath(to, below)]
      const isAllowed = touched.every(
        (path) => filter.allows(path, false) && filter.allows(path, true),
      )
      if (!isAllowed)
        throw new Fault('forbidden', 'You do not have access to everything in this folder.')
    }
  }

  #requireVisible(path: TreePath): void {
    if (!this.isVisible(path)) throw noAccess(this.#authorization.filter, path)
  }

  #inTree(path: TreePath): TreePath {
    return joinPath(this.#authorization.actor.scope, path)
  }

  #inversion(): StepInverter {
    return new StepInverter(this.#storage, this.#trash, this.#authorization, {
      runner: this.#runner,
      listener: this.#listener,
      requireAllowed: (item, to) => this.requireAllowed(item, to),
    })
  }
}

type Renamed = PastStep & { to: TreePath }

function isRenamed(step: PastStep): step is Renamed {
  // A move to another file system changes the mark; it is recorded when the copy is complete.
  return step.kind === 'renamed' && step.to !== undefined && step.before === step.after
}

function renamedBack({ path, to, parent, toParent, after, isFolder }: Renamed): Step {
  return {
    kind: 'renamed',
    role: 'trash',
    path: to,
    to: path,
    parent: toParent,
    toParent: parent,
    before: after,
    after,
    kept: '',
    isFolder,
    completeMs: 0,
    sizeBytes: 0,
    diskBytes: 0,
    modifiedMs: 0,
    happened: true,
  }
}
