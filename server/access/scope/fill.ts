/**
 * Creates many files and folders as one change with one journal entry. Each file is checked and published separately.
 */
import type { ByteStream, Node, Source } from '#server/storage/node.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { JournalVerb } from '#wire/api/journal.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Authorization } from '../authorization.ts'
import { requireAction } from '../policy.ts'
import type { ChangeRunner, RecordOptions } from './change-runner.ts'
import { requireReplaceable } from './tree-checks.ts'

export interface NewContent {
  overwrite: boolean
  modifiedMs?: number | undefined
  isExecutable?: boolean | undefined
}

/** Creates files and folders while one change is open. */
export interface FillWriter {
  /** As `Scope.write`, without the commands of an upload. */
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
   * Runs `work` between the commands that are tied to copies.
   *
   * @param from the source of the files, such as an archive
   * @param to the folder that receives the new files
   * @param work calls `change` once for each journal entry. If it throws, the files that were created by then stay, and
   *   the entry contains them.
   * @throws Fault forbidden; what `work` throws
   */
  async run(
    verb: JournalVerb,
    { from, to }: { from: TreePath; to: TreePath },
    work: (change: (put: (into: FillWriter) => Promise<void>) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    requireAction(this.#authorization.actor, 'create')
    this.#authorization.requireVisible(from)
    this.#authorization.requireVisible(to)
    const request = { event: undefined, verb, path: from, to, isRepeatable: false }
    await this.#runner.hooked('copy', from, to, () =>
      work((put) =>
        this.#runner.run(request, (recordOptions) => put(this.#filling(recordOptions))),
      ),
    )
  }

  /**
   * Creates the files of one upload. Each is checked, has its own commands, and succeeds or fails by itself.
   *
   * @param folder the folder that the upload names, for the journal entry
   * @param work calls `write` for each file. If it throws, the files that were created by then stay, and the entry
   *   contains them.
   * @throws what `work` throws
   */
  async upload(
    folder: TreePath,
    work: (write: FillWriter['write']) => Promise<void>,
  ): Promise<void> {
    const request = { event: undefined, verb: 'upload', path: folder, isRepeatable: false } as const
    let failure: { error: unknown } | undefined
    await this.#runner.run(request, async (recordOptions) => {
      await work((path, bytes, options) => this.#upload(path, bytes, options, recordOptions)).catch(
        (error: unknown) => {
          failure = { error }
        },
      )
    })
    if (failure) throw failure.error
  }

  async #upload(
    path: TreePath,
    from: Source,
    options: NewContent,
    recordOptions: RecordOptions,
  ): Promise<Node> {
    await this.requireWritable(path, options.overwrite)
    return this.#runner.hooked('upload', path, undefined, () =>
      this.#runner.withRoom(path, () => this.write(path, from, options, recordOptions)),
    )
  }

  #filling(recordOptions: RecordOptions): FillWriter {
    return {
      write: async (path, bytes, options) => {
        await this.#authorization.recheck('create', path)
        await this.requireWritable(path, options.overwrite)
        return this.#runner.onDiskOf(path, () => this.write(path, bytes, options, recordOptions))
      },
      mkdir: (path) => this.#runner.onDiskOf(path, () => this.#mkdir(path, recordOptions)),
    }
  }

  /** @throws as `Scope.canWrite` */
  async requireWritable(path: TreePath, overwrite: boolean): Promise<void> {
    requireAction(this.#authorization.actor, 'create')
    this.#authorization.requireChangeable(path)
    const existing = await this.#storage.find(path)
    if (!existing) return
    requireReplaceable(existing)
    if (!overwrite) throw new Fault('conflict', 'The name is already taken.')
    requireAction(this.#authorization.actor, 'overwrite')
  }

  /**
   * Checks before an upload that its destination can take it.
   *
   * @throws Fault noSpace, readOnly, forbidden
   */
  requireRoom(path: TreePath, bytes: number): Promise<void> {
    this.#authorization.requireChangeable(path)
    return this.#runner.onDiskOf(path, () =>
      this.#storage.requireRoom(path, bytes, this.#authorization.actor.id),
    )
  }

  /**
   * Runs a part of an upload that needs space where the bytes of unfinished uploads are, on the disk of the served folder.
   *
   * @throws what `act` throws; noSpace says what the actor's trash occupies there
   */
  receive<T>(act: () => Promise<T>): Promise<T> {
    return this.#runner.onDiskOf(undefined, act)
  }

  /**
   * Writes a file, and creates the missing folders above it.
   *
   * @throws as `Scope.write`
   */
  async write(
    path: TreePath,
    from: Source,
    options: NewContent,
    recordOptions: RecordOptions,
  ): Promise<Node> {
    const accept = this.#authorization.acceptAt('create', [path], options)
    return this.#storage.write(path, from, {
      ...options,
      ...recordOptions,
      makesFolders: true,
      accept: (existing) => accept(existing !== undefined),
    })
  }

  async #mkdir(path: TreePath, recordOptions: RecordOptions): Promise<void> {
    await this.#authorization.recheck('create', path)
    const accept = () => this.#authorization.check('create', path)
    this.#authorization.requireChangeable(path)
    await this.#storage.mkdir(path, { ...recordOptions, accept })
  }
}
