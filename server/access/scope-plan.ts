/** Checks in advance whether a copy, move or removal would be refused. */
import type { Storage } from '#server/storage/storage.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Authorization } from './authorization.ts'
import { requireAction } from './policy.ts'
import { checkRemoval, checkTransfer } from './tree-checks.ts'

export class ScopePlan {
  readonly #storage: Storage
  readonly #authorization: Authorization

  constructor(storage: Storage, authorization: Authorization) {
    this.#storage = storage
    this.#authorization = authorization
  }

  /**
   * Throws what `Scope.copy` or `Scope.move` would throw, except for a taken name.
   *
   * @throws Fault forbidden, badRequest (into itself), notFound
   */
  async checkTransfer(action: 'copy' | 'rename', from: TreePath, to: TreePath): Promise<void> {
    requireAction(this.#authorization.actor, action)
    const transfer = { from, to, follow: action === 'copy', overwrite: 'planned' } as const
    await checkTransfer(this.#storage, this.#authorization, transfer)
  }

  /**
   * Throws what `Scope.remove` would throw.
   *
   * @throws Fault forbidden, notFound
   */
  async checkRemoval(path: TreePath): Promise<void> {
    requireAction(this.#authorization.actor, 'delete')
    this.#authorization.requireChangeable(path)
    await checkRemoval(this.#storage, this.#authorization, path)
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
