/** Many new files and folders as one change: one entry in the journal, and each file asked about and published alone. */
import type { ByteStream, Node, Source } from '#server/storage/node.ts'
import type { Storage } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import type { JournalVerb } from '#wire/journal.ts'
import { parentPath, type TreePath } from '#wire/paths.ts'
import type { Authorization } from './authorization.ts'
import type { ChangeRunner, RecordOptions } from './change-runner.ts'
import { must } from './policy.ts'
import { find } from './tree-checks.ts'

export interface NewContent {
  overwrite: boolean
  modifiedMs?: number | undefined
}

/** What puts new things into the tree, while one change is open. */
export interface Filling {
  /** As `Scope.write`, without what is tied to an upload. */
  write(path: TreePath, from: ByteStream | Uint8Array, options: NewContent): Promise<Node>
  /** As `Scope.mkdir`. */
  mkdir(path: TreePath): Promise<void>
}

export class ScopeFill {
  readonly #storage: Storage
  readonly #authorization: Authorization
  readonly #runner: ChangeRunner

  constructor(storage: Storage, authorization: Authorization, runner: ChangeRunner) {
    this.#storage = storage
    this.#authorization = authorization
    this.#runner = runner
  }

  /**
   * Runs work that makes changes, between the commands that are tied to copies.
   *
   * @param from what they are made of @param to the folder that they are made in
   * @param work calls `change` for each entry of the journal: what was made when it throws stays, and is in the entry
   * @throws Fault forbidden; what `work` throws
   */
  async run(
    verb: JournalVerb,
    { from, to }: { from: TreePath; to: TreePath },
    work: (change: (put: (into: Filling) => Promise<void>) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    must(this.#authorization.actor, 'create')
    this.#authorization.mustSee(from)
    this.#authorization.mustSee(to)
    const request = { event: undefined, verb, path: from, to, repeats: false }
    await this.#runner.hooked('copy', from, to, () =>
      work((put) => this.#runner.run(request, (told) => put(this.#filling(told)))),
    )
  }

  #filling(told: RecordOptions): Filling {
    return {
      write: async (path, bytes, options) => {
        this.#authorization.mustStill('create', path)
        await this.mustWrite(path, options.overwrite)
        return this.write(path, bytes, options, told)
      },
      mkdir: (path) => this.#mkdir(path, told),
    }
  }

  /** @throws as `Scope.canWrite` */
  async mustWrite(path: TreePath, overwrite: boolean): Promise<void> {
    must(this.#authorization.actor, 'create')
    this.#authorization.mustChange(path)
    const existing = await find(this.#storage, path)
    if (!existing) return
    if (existing.kind === 'folder') throw new Fault('isDirectory', 'A folder has this name.')
    if (!overwrite) throw new Fault('conflict', 'The name is already taken.')
    must(this.#authorization.actor, 'overwrite')
  }

  /** Puts a file in place, with the folders above it. @throws as `Scope.write` */
  async write(
    path: TreePath,
    from: Source,
    options: NewContent,
    told: RecordOptions,
  ): Promise<Node> {
    await this.#storage.mkdir(parentPath(path), told)
    const accept = this.#authorization.acceptAt('create', path)
    return this.#storage.write(path, from, {
      ...options,
      ...told,
      accept: (existing) => accept(existing !== undefined),
    })
  }

  async #mkdir(path: TreePath, told: RecordOptions): Promise<void> {
    this.#authorization.mustStill('create', path)
    this.#authorization.mustChange(path)
    await this.#storage.mkdir(path, told)
  }
}
