/** Removes, moves and copies what is there, and tells those who keep its paths. */
import type { Resumable, Storage } from '#server/storage/storage.ts'
import { joinPath, parentPath, type TreePath } from '#wire/paths.ts'
import type { Action } from '#wire/permissions.ts'
import type { Authorization } from './authorization.ts'
import type { ChangeRunner } from './change-runner.ts'
import type { PathListener } from './file-events.ts'
import { must } from './policy.ts'
import { mustStandAlone, mustTransfer } from './tree-checks.ts'

export interface TransferRequest {
  overwrite: boolean
  /** The copy may stop half-way, and a later call goes on with it. */
  resumable?: Resumable | undefined
}

export class ScopeTransfers {
  readonly #storage: Storage
  readonly #authorization: Authorization
  readonly #runner: ChangeRunner
  readonly #listener: PathListener

  constructor(
    storage: Storage,
    authorization: Authorization,
    runner: ChangeRunner,
    listener: PathListener,
  ) {
    this.#storage = storage
    this.#authorization = authorization
    this.#runner = runner
    this.#listener = listener
  }

  /** @throws as `Scope.remove` */
  async remove(path: TreePath): Promise<void> {
    must(this.#authorization.actor, 'delete')
    this.#authorization.mustChange(path)
    await mustStandAlone(this.#storage, this.#authorization, path)
    const doing = { event: 'delete', verb: 'delete', path, repeats: true } as const
    await this.#runner.run(doing, async (told) => {
      this.#authorization.mustStill('delete', path)
      const real = await this.#storage.remove(path, told)
      for (const name of new Set([path, real])) this.#listener.removed(this.#inTree(name))
    })
  }

  /** @throws as `Scope.move` */
  async move(from: TreePath, to: TreePath, options: TransferRequest): Promise<void> {
    must(this.#authorization.actor, 'rename')
    await mustTransfer(this.#storage, this.#authorization, { from, to, ...options, follow: false })
    const doing = { event: 'rename', verb: 'rename', path: from, to, repeats: true } as const
    await this.#runner.run(doing, async (told) => {
      this.#authorization.mustStill('rename', from, to)
      await this.#storage.mkdir(parentPath(to), told)
      const accept = this.#authorization.acceptAt('rename', from, to)
      const resumable = this.#stillAllowed('rename', from, to, options.resumable)
      const real = await this.#storage.move(from, to, { ...options, ...told, accept, resumable })
      this.#listener.moved(this.#inTree(real.from), this.#inTree(real.to))
      if (from !== real.from) this.#listener.moved(this.#inTree(from), this.#inTree(to))
    })
  }

  /** @throws as `Scope.copy` */
  async copy(from: TreePath, to: TreePath, options: TransferRequest): Promise<void> {
    must(this.#authorization.actor, 'copy')
    await mustTransfer(this.#storage, this.#authorization, { from, to, ...options, follow: true })
    const doing = { event: 'copy', verb: 'copy', path: from, to, repeats: true } as const
    await this.#runner.run(doing, async (told) => {
      this.#authorization.mustStill('copy', from, to)
      await this.#storage.mkdir(parentPath(to), told)
      await this.#storage.copy(from, to, {
        ...options,
        ...told,
        accept: this.#authorization.acceptAt('copy', from, to),
        resumable: this.#stillAllowed('copy', from, to, options.resumable),
      })
    })
  }

  /** Asks again before each file of a long copy: rights and rules may be others by then. */
  #stillAllowed(
    action: Action,
    from: TreePath,
    to: TreePath,
    resumable: Resumable | undefined,
  ): Resumable | undefined {
    return (
      resumable && {
        ...resumable,
        next: (path, sizeBytes) => {
          this.#authorization.mustStill(action, from, to, path)
          resumable.next(path, sizeBytes)
        },
        leftOut: (path) => {
          if (this.#authorization.filter.sees(path)) resumable.leftOut?.(path)
        },
      }
    )
  }

  #inTree(path: TreePath): TreePath {
    return joinPath(this.#authorization.actor.scope, path)
  }
}
