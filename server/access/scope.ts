/**
 * The only way to files. Every verb is the same lines: may the actor do this, may the actor see
 * this, what was tied to it before, then the storage, and what was tied to it after. Refusals throw.
 */
import { inSlices } from '#server/slices.ts'
import type { ByteRange, Node, Opened, Source, Start } from '#server/storage/node.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { Usage } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import type { Action } from '#wire/permissions.ts'
import type { Actor } from './actor.ts'
import { Authorization } from './authorization.ts'
import { ChangeRunner } from './change-runner.ts'
import type { EventHook, PathListener } from './file-events.ts'
import { IndexedNames, type SeenSearch } from './indexed-names.ts'
import { may, must } from './policy.ts'
import { type Journalled, UNRECORDED } from './recorder.ts'
import { type NewContent, ScopeFill } from './scope-fill.ts'
import { ScopePlan } from './scope-plan.ts'
import { ScopePrograms } from './scope-programs.ts'
import { ScopeTransfers, type TransferRequest } from './scope-transfers.ts'
import { ScopeTrash } from './scope-trash.ts'

export class Scope {
  readonly #storage: Storage
  readonly #listener: PathListener
  readonly #authorization: Authorization
  readonly #runner: ChangeRunner
  #trash: ScopeTrash | undefined
  #plan: ScopePlan | undefined
  #fill: ScopeFill | undefined

  /**
   * @param storage the actor's own tree, as `scopes.ts` cuts it out
   * @param present the actor with the rights and rules of that moment; throws when they may do nothing
   *   any more. Asked when a change is about to be made, which may be days after the request began.
   */
  constructor(
    storage: Storage,
    actor: Actor,
    listener: PathListener,
    hooks: EventHook,
    present = () => actor,
    { recorder, origin }: Journalled = UNRECORDED,
  ) {
    this.#listener = listener
    this.#authorization = new Authorization(actor, storage.can.foldsCase, present)
    this.#storage = storage.within(ROOT, {
      checkPath: (real, foldsCase) => this.#authorization.mustSee(real, foldsCase),
    })
    this.#runner = new ChangeRunner({
      hooks,
      recorder,
      origin,
      actor: () => this.actor,
      openForCommand: () => this.programs.open(ROOT),
    })
  }

  /** What was deleted and replaced in here; undefined where nothing is kept. */
  get trash(): ScopeTrash | undefined {
    const { kept } = this.#storage.can
    if (!kept) return undefined
    this.#trash ??= new ScopeTrash(
      this.#storage,
      kept,
      this.#authorization,
      this.#runner,
      this.#listener,
    )
    return this.#trash
  }

  get #transfers(): ScopeTransfers {
    return new ScopeTransfers(this.#storage, this.#authorization, this.#runner, this.#listener)
  }

  /** What copies, moves and removals would meet. */
  get plan(): ScopePlan {
    this.#plan ??= new ScopePlan(this.#storage, this.#authorization)
    return this.#plan
  }

  /** Puts many new files in place as one change. */
  get fill(): ScopeFill {
    this.#fill ??= new ScopeFill(this.#storage, this.#authorization, this.#runner)
    return this.#fill
  }

  /** Opens folders for programs. */
  get programs(): ScopePrograms {
    return new ScopePrograms(this.#storage, this.#authorization)
  }

  get actor(): Actor {
    return this.#authorization.actor
  }

  /** The journal's entries of what was changed through here, in their order. */
  get entries(): readonly number[] {
    return this.#runner.entries
  }

  may(action: Action): boolean {
    return may(this.actor, action)
  }

  /** Asks again, of the actor as they are now. @throws Fault unauthenticated, notFound, forbidden */
  mustStill(action: Action, path: TreePath): void {
    this.#authorization.mustStill(action, path)
  }

  /** @throws Fault notFound, forbidden */
  async stat(path: TreePath): Promise<Node> {
    this.#authorization.mustSee(path)
    return this.#storage.stat(path)
  }

  /** What the actor may see of a folder. @throws Fault notFound, notDirectory, forbidden */
  async list(path: TreePath): Promise<Node[]> {
    this.#authorization.mustSee(path)
    const nodes = await this.#storage.list(path)
    const { filter } = this.#authorization
    return filter.isUnrestricted ? nodes : inSlices(filter.shown(nodes))
  }

  /**
   * Names below a folder that a query means, from the index; undefined where only a walk can tell.
   *
   * @throws Fault notFound, notDirectory, forbidden
   */
  async indexed(path: TreePath, query: string): Promise<SeenSearch | undefined> {
    this.#authorization.mustSee(path)
    return IndexedNames.search(this.#storage, this.#authorization.filter, path, query)
  }

  /**
   * Bytes of all files in each subfolder, by name; undefined where nobody knows by now. Nobody from whom rules or the
   * hiding of dotfiles may keep something is told: the difference would tell how much.
   *
   * @throws Fault notFound, notDirectory, forbidden
   */
  async folderSizes(path: TreePath): Promise<Map<string, number> | undefined> {
    this.#authorization.mustSee(path)
    if (!this.#authorization.filter.isUnrestricted) return undefined
    return this.#storage.can.names?.sizes(path)
  }

  /** @throws Fault notFound, isDirectory, unsupported, forbidden */
  async read(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    must(this.actor, 'download')
    return this.peek(path, range)
  }

  /**
   * The same bytes for the server's own use, such as telling text from pictures. Never to be sent to
   * an actor without the download permission.
   * @throws as `read`
   */
  async peek(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    this.#authorization.mustSee(path)
    return this.#storage.read(path, range)
  }

  /**
   * The first bytes of several files of one folder, as `list` gave them. Undefined for those that are
   * better read one by one.
   *
   * @throws Fault notFound, notDirectory, forbidden
   */
  async starts(
    folder: TreePath,
    files: readonly Node[],
    bytesMax: number,
  ): Promise<(Start | undefined)[]> {
    must(this.actor, 'download')
    return this.peeks(folder, files, bytesMax)
  }

  /** The same for the server's own use, as `peek`. @throws as `starts` */
  async peeks(
    folder: TreePath,
    files: readonly Node[],
    bytesMax: number,
  ): Promise<(Start | undefined)[]> {
    this.#authorization.mustSee(folder)
    for (const file of files) this.#authorization.mustSeeBoth(file)
    return this.#storage.starts(folder, files, bytesMax)
  }

  /**
   * Puts a new file in place, with the folders above it, or replaces one.
   * @throws Fault forbidden, conflict, isDirectory, noSpace, readOnly
   */
  async write(path: TreePath, from: Source, options: NewContent): Promise<Node> {
    await this.canWrite(path, options.overwrite)
    const repeats = !(from instanceof ReadableStream)
    return this.#runner.run({ event: 'upload', verb: 'upload', path, repeats }, (told) =>
      this.fill.write(path, from, options, told),
    )
  }

  /**
   * Refuses, before a byte is taken, what `write` would refuse at the end.
   * @throws Fault forbidden, conflict, isDirectory, readOnly
   */
  async canWrite(path: TreePath, overwrite: boolean): Promise<void> {
    must(this.actor, 'create')
    await this.fill.mustWrite(path, overwrite)
  }

  /**
   * Replaces the content of an existing file.
   *
   * @param matches decides from the present file whether to go on; false is a failed precondition
   * @throws Fault forbidden, notFound, isDirectory, precondition, noSpace, readOnly
   */
  async save(path: TreePath, from: Source, matches: (node: Node) => boolean): Promise<Node> {
    must(this.actor, 'modify')
    this.#authorization.mustChange(path)
    const check = (node: Node | undefined) => {
      if (!node) throw new Fault('notFound', 'There is no file or folder with this name.')
      if (node.kind === 'folder') throw new Fault('isDirectory', 'This is a folder.')
      if (!matches(node)) throw new Fault('precondition', 'The file was changed meanwhile.')
    }
    check(await this.#storage.stat(path))
    const accept = (node: Node | undefined) => {
      this.#authorization.mustStill('modify', path)
      check(node)
    }
    const repeats = !(from instanceof ReadableStream)
    return this.#runner.run({ event: 'save', verb: 'save', path, repeats }, (told) =>
      this.#storage.write(path, from, { ...told, overwrite: true, accept }),
    )
  }

  /** Makes a folder and the missing ones above it. @throws Fault forbidden, notDirectory, readOnly */
  async mkdir(path: TreePath): Promise<void> {
    must(this.actor, 'create')
    this.#authorization.mustChange(path)
    const doing = { event: 'upload', verb: 'folder', path, repeats: true } as const
    await this.#runner.run(doing, (told) => {
      this.#authorization.mustStill('create', path)
      return this.#storage.mkdir(path, told)
    })
  }

  /** @throws Fault forbidden (also for the root, and for any denied thing inside), notFound, readOnly */
  remove(path: TreePath): Promise<void> {
    return this.#transfers.remove(path)
  }

  /**
   * Renames or moves.
   * @throws Fault forbidden, badRequest (into itself), notFound, conflict, readOnly
   */
  move(from: TreePath, to: TreePath, options: TransferRequest): Promise<void> {
    return this.#transfers.move(from, to, options)
  }

  /** @throws Fault forbidden, badRequest (into itself), notFound, conflict, noSpace, readOnly */
  copy(from: TreePath, to: TreePath, options: TransferRequest): Promise<void> {
    return this.#transfers.copy(from, to, options)
  }

  /** @throws Fault notFound, forbidden */
  async usage(path: TreePath): Promise<Usage> {
    this.#authorization.mustSee(path)
    return this.#storage.usage(path)
  }

  /**
   * Calls `changed` when a folder changes, until it is disposed of.
   *
   * @throws Fault notFound, notDirectory, forbidden, unavailable, unsupported (nobody tells)
   */
  async watch(path: TreePath, changed: () => void): Promise<Disposable> {
    this.#authorization.mustSee(path)
    const { watch } = this.#storage.can
    if (watch) return watch(path, changed)
    throw new Fault('unsupported', 'This storage does not report changes.')
  }
}
