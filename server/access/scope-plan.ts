/** Looks ahead: whether a copy, a move or a removal would be refused, and what it would cost. */
import type { Storage } from '#server/storage/storage.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Authorization } from './authorization.ts'
import { must } from './policy.ts'
import { mustStandAlone, mustTransfer } from './tree-checks.ts'

export class ScopePlan {
  readonly #storage: Storage
  readonly #authorization: Authorization

  constructor(storage: Storage, authorization: Authorization) {
    this.#storage = storage
    this.#authorization = authorization
  }

  /**
   * Refuses what `Scope.copy` or `Scope.move` would refuse. A taken name is no refusal here.
   *
   * @throws Fault forbidden, badRequest (into itself), notFound
   */
  async checkTransfer(action: 'copy' | 'rename', from: TreePath, to: TreePath): Promise<void> {
    must(this.#authorization.actor, action)
    const transfer = { from, to, follow: action === 'copy', overwrite: 'planned' } as const
    await mustTransfer(this.#storage, this.#authorization, transfer)
  }

  /** Refuses what `Scope.remove` would refuse. @throws Fault forbidden, notFound */
  async checkRemoval(path: TreePath): Promise<void> {
    must(this.#authorization.actor, 'delete')
    this.#authorization.mustChange(path)
    await mustStandAlone(this.#storage, this.#authorization, path)
  }

  /** Whether a move is one rename. @throws Fault notFound, forbidden */
  async isNear(from: TreePath, to: TreePath): Promise<boolean> {
    this.#authorization.mustSee(from)
    this.#authorization.mustSee(to)
    return (await this.#storage.can.isNear?.(from, to)) ?? true
  }
}
