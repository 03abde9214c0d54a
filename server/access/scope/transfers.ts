/** Removes, moves and copies files, and notifies the listeners of the changed paths. */
import { notKept } from '#server/lib/common-faults.ts'
import type { Resumable, Storage, TransferOptions } from '#server/storage/storage.ts'
import { joinPath, parentPath, type TreePath } from '#wire/paths.ts'
import type { PolicyAction } from '#wire/permissions.ts'
import type { Authorization } from '../authorization.ts'
import type { PathListener } from '../file-events.ts'
import { requireAction } from '../policy.ts'
import type { ChangeRunner, RecordOptions } from './change-runner.ts'
import { checkRemoval, checkTransfer } from './tree-checks.ts'

export interface TransferRequest {
  overwrite: boolean
  /** Keeps the partial copy if it stops, so that a later call continues it. */
  resumable?: Resumable | undefined
  /** Called for a path that a copy leaves out, possibly more than once. */
  leftOut?: TransferOptions['leftOut']
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
  async remove(path: TreePath, { onlyToTrash = false } = {}): Promise<void> {
    requireAction(this.#authorization.actor, 'delete')
    this.#authorization.requireChangeable(path)
    await checkRemoval(this.#storage, this.#authorization, path)
    // Before the commands of the event: they run when something is deleted.
    if (onlyToTrash && !(await this.#runner.keeps(path))) throw notKept()
    const request = { event: 'delete', verb: 'delete', path, isRepeatable: true } as const
    await this.#runner.run(request, async (recordOptions) => {
      await this.#authorization.recheck('delete', path)
      const accept = () => this.#authorization.check('delete', path)
      const real = await this.#storage.remove(path, { ...recordOptions, onlyToTrash, accept })
      for (const name of new Set([path, real])) await this.#listener.removed(this.#inTree(name))
    })
  }

  /** @throws as `Scope.move` */
  async move(from: TreePath, to: TreePath, options: TransferRequest): Promise<void> {
    requireAction(this.#authorization.actor, 'rename')
    await checkTransfer(this.#storage, this.#authorization, { from, to, ...options, follow: false })
    const request = { event: 'rename', verb: 'rename', path: from, to, isRepeatable: true } as const
    await this.#runner.run(request, async (recordOptions) => {
      await this.#makeParent('rename', from, to, recordOptions)
      const accept = this.#authorization.acceptAt('rename', [from, to], options)
      const resumable = this.#stillAllowed('rename', from, to, options.resumable)
      const real = await this.#storage.move(from, to, {
        ...options,
        ...recordOptions,
        accept,
        resumable,
      })
      await this.#listener.moved(this.#inTree(real.from), this.#inTree(real.to))
      if (from !== real.from) await this.#listener.moved(this.#inTree(from), this.#inTree(to))
    })
  }

  /** @throws as `Scope.copy` */
  async copy(from: TreePath, to: TreePath, options: TransferRequest): Promise<void> {
    requireAction(this.#authorization.actor, 'copy')
    await checkTransfer(this.#storage, this.#authorization, { from, to, ...options, follow: true })
    const request = { event: 'copy', verb: 'copy', path: from, to, isRepeatable: true } as const
    await this.#runner.run(request, async (recordOptions) => {
      await this.#makeParent('copy', from, to, recordOptions)
      await this.#storage.copy(from, to, {
        ...options,
        ...recordOptions,
        accept: this.#authorization.acceptAt('copy', [from, to], options),
        resumable: this.#stillAllowed('copy', from, to, options.resumable),
        leftOut: (path, reason) => {
          if (this.#authorization.filter.isVisible(path)) options.leftOut?.(path, reason)
        },
      })
    })
  }

  /** Repeats the checks, and creates the missing folders above the destination. */
  async #makeParent(
    action: PolicyAction,
    from: TreePath,
    to: TreePath,
    recordOptions: RecordOptions,
  ): Promise<void> {
    await this.#authorization.recheck(action, from, to)
    const accept = () => this.#authorization.check(action, from, to)
    await this.#storage.mkdir(parentPath(to), { ...recordOptions, accept })
  }

  /** Repeats the checks before each file of a long copy, because rights and rules may change while it runs. */
  #stillAllowed(
    action: PolicyAction,
    from: TreePath,
    to: TreePath,
    resumable: Resumable | undefined,
  ): Resumable | undefined {
    return (
      resumable && {
        ...resumable,
        next: async (path, sizeBytes) => {
          await this.#authorization.recheck(action, from, to, path)
          await resumable.next(path, sizeBytes)
        },
      }
    )
  }

  #inTree(path: TreePath): TreePath {
    return joinPath(this.#authorization.actor.scope, path)
  }
}
