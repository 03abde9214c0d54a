/** The checks of access for a copy, a move or a removal, without the operation: for the plan of a job. */
import { notKept } from '#server/lib/common-faults.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Authorization } from '../authorization.ts'
import { requireAction } from '../policy.ts'
import { checkRemoval, checkTransfer } from './tree-checks.ts'

export class ScopeChecks {
  readonly #storage: Storage
  readonly #authorization: Authorization
  readonly #keeps: (path: TreePath) => Promise<boolean>

  /** @param keeps whether what is deleted at a path goes to the trash */
  constructor(
    storage: Storage,
    authorization: Authorization,
    keeps: (path: TreePath) => Promise<boolean>,
  ) {
    this.#storage = storage
    this.#authorization = authorization
    this.#keeps = keeps
  }

  /**
   * Makes the checks of access that `Scope.copy` and `Scope.move` make. A taken name is no fault.
   *
   * @throws Fault forbidden, badRequest (into itself), conflict (to the same path), notFound
   */
  async checkTransfer(action: 'copy' | 'rename', from: TreePath, to: TreePath): Promise<void> {
    requireAction(this.#authorization.actor, action)
    const transfer = { from, to, follow: action === 'copy', overwrite: 'planned' } as const
    await checkTransfer(this.#storage, this.#authorization, transfer)
  }

  /**
   * Makes the checks of access that `Scope.remove` makes.
   *
   * @param onlyToTrash as for `Scope.remove`
   * @throws Fault forbidden, notFound, conflict (`onlyToTrash`)
   */
  async checkRemoval(path: TreePath, onlyToTrash: boolean): Promise<void> {
    requireAction(this.#authorization.actor, 'delete')
    this.#authorization.requireChangeable(path)
    await checkRemoval(this.#storage, this.#authorization, path)
    if (onlyToTrash && !(await this.#keeps(path))) throw notKept()
  }

  /**
   * Whether a move is one rename on the same file system.
   *
   * @throws Fault notFound, forbidden
   */
  async isSameVolume(from: TreePath, to: TreePath): Promise<boolean> {
    this.#authorization.requireVisible(from)
    this.#authorization.requireVisible(to)
    return (await this.#storage.can.isSameVolume?.(from, to)) ?? true
  }
}
