/**
 * The only access to files. Each operation checks the right and the path, runs the commands before the event, calls the
 * storage, and runs the commands after the event. A refusal throws.
 */

import { linkTargetMissing } from '#server/lib/common-faults.ts'
import type { ListOptions } from '#server/storage/folder-nodes.ts'
import type { ByteRange, LazySource, Node, Opened } from '#server/storage/node.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { Usage } from '#wire/api/entry.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import type { PolicyAction } from '#wire/permissions.ts'
import type { Actor } from '../actor.ts'
import { Authorization } from '../authorization.ts'
import type { EventHook, PathListener } from '../file-events.ts'
import { may, requireAction } from '../policy.ts'
import { type RecordingContext, UNRECORDED } from '../recorder.ts'
import { ChangeRunner } from './change-runner.ts'
import { type NewContent, ScopeFill } from './fill.ts'
import { ScopeListings } from './listings.ts'
import { ScopeChecks } from './plan-checks.ts'
import { ScopePrograms } from './programs.ts'
import type { ScopeFolder } from './scope-folder.ts'
import { ScopeTransfers, type TransferRequest } from './transfers.ts'
import { ScopeTrash } from './trash.ts'
import { requireReplaceable } from './tree-checks.ts'

export class Scope {
  readonly #storage: Storage
  readonly #listener: PathListener
  readonly #authorization: Authorization
  readonly #listings: ScopeListings
  readonly #runner: ChangeRunner
  #trash: ScopeTrash | undefined
  #checks: ScopeChecks | undefined
  #fill: ScopeFill | undefined

  /**
   * @param storage the actor's own tree, as `scopes.ts` opens it
   * @param present returns the actor with present rights; throws if the account may no longer be used. Called right
   *   before a change, which may be days after the request began.
   */
  constructor(
    storage: Storage,
    actor: Actor,
    listener: PathListener,
    hooks: EventHook,
    present: () => Promise<Actor> = async () => actor,
    { recorder, origin }: RecordingContext = UNRECORDED,
  ) {
    this.#listener = listener
    this.#authorization = new Authorization(actor, storage.can.foldsCase, present)
    this.#storage = storage.within(ROOT, {
      checkPath: (real, foldsCase) => this.#authorization.requireVisible(real, foldsCase),
    })
    this.#listings = new ScopeListings(this.#storage, this.#authorization)
    this.#runner = new ChangeRunner({
      hooks,
      recorder,
      origin,
      actor: () => this.actor,
      refresh: () => this.#authorization.refresh(),
      openForCommand: () => this.programs.open(ROOT),
    })
  }

  /** The trash of this scope; undefined if the storage keeps no deleted content. */
  get trash(): ScopeTrash | undefined {
    this.#trash ??= ScopeTrash.open(
      this.#storage,
      this.#authorization,
      this.#runner,
      this.#listener,
    )
    return this.#trash
  }

  get #transfers(): ScopeTransfers {
    return new ScopeTransfers(this.#storage, this.#authorization, this.#runner, this.#listener)
  }

  /** Checks whether copies, moves and removals would be refused. */
  get checks(): ScopeChecks {
    this.#checks ??= new ScopeChecks(this.#storage, this.#authorization, (path) =>
      this.#runner.keeps(path),
    )
    return this.#checks
  }

  /** Creates many files as one change. */
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

  /** The ids of the journal entries of changes through this scope, in order. */
  get entries(): readonly number[] {
    return this.#runner.entries
  }

  may(action: PolicyAction): boolean {
    return may(this.actor, action)
  }

  /**
   * Repeats a check with the actor's present rights; without a path, that of the right alone.
   * @throws Fault unauthenticated, notFound, forbidden
   */
  async recheck(action: PolicyAction, path?: TreePath): Promise<void> {
    const isListing = action === 'look' || action === 'download'
    await this.#authorization.recheck(action, ...(path === undefined || isListing ? [] : [path]))
    if (path !== undefined && isListing) this.#authorization.requireListed(path)
  }

  /**
   * The node at a path, also of a denied folder that leads to an allowed one.
   * @throws Fault notFound, forbidden
   */
  stat(path: TreePath): Promise<Node> {
    return this.#listings.stat(path)
  }

  /**
   * Checks the path by itself, for what must not be done with folders that only lead to an allowed one.
   * @throws Fault forbidden
   */
  requireVisible(path: TreePath): void {
    this.#authorization.requireVisible(path)
  }

  /**
   * Opens a folder for several looks at it, also a denied one that leads to an allowed one. The caller disposes of it.
   * @throws Fault notFound, notDirectory, forbidden
   */
  openFolder(path: TreePath): Promise<ScopeFolder> {
    return this.#listings.openFolder(path)
  }

  /**
   * @returns the open folder at a path, as `openFolder`; the node of anything else
   * @throws Fault notFound, forbidden, conflict (a folder has just taken the place of a file)
   */
  async openOrStat(path: TreePath): Promise<ScopeFolder | Node> {
    try {
      return await this.openFolder(path)
    } catch (error) {
      // A link without a target, or to itself, has a node. `stat` refuses one that leads outside.
      if (!isFault(error, 'notDirectory', 'notFound', 'outside')) throw error
    }
    const node = await this.stat(path)
    if (node.kind !== 'folder') return node
    throw new Fault('conflict', 'This has just become a folder. Try again.')
  }

  /**
   * Lists the nodes of a folder that the actor may see.
   * @throws as `openFolder`
   */
  async list(path: TreePath, options?: ListOptions): Promise<Node[]> {
    using folder = await this.openFolder(path)
    return await folder.list(options)
  }

  /** @throws Fault notFound, isDirectory, unsupported, forbidden */
  async read(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    requireAction(this.actor, 'download')
    return this.peek(path, range)
  }

  /**
   * Reads a file for the server's own use, such as the detection of text files. The bytes must not be sent to an
   * actor without the download permission.
   * @throws as `read`
   */
  async peek(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    return this.#listings.read(path, range)
  }

  /**
   * Creates a file with the missing folders above it, or replaces one.
   * @throws Fault forbidden, conflict, isDirectory, noSpace, readOnly
   */
  async write(path: TreePath, from: LazySource, options: NewContent): Promise<Node> {
    await this.canWrite(path, options.overwrite)
    const source = typeof from === 'function' ? await from() : from
    const isRepeatable = !(source instanceof ReadableStream)
    return this.#runner.run(
      { event: 'upload', verb: 'upload', path, isRepeatable },
      (recordOptions) => this.fill.write(path, source, options, recordOptions),
    )
  }

  /**
   * Throws what `write` would throw, before the body is read.
   * @throws Fault forbidden, conflict, isDirectory, readOnly
   */
  async canWrite(path: TreePath, overwrite: boolean): Promise<void> {
    await this.fill.requireWritable(path, overwrite)
  }

  /**
   * Replaces the content of an existing file.
   * @param matches whether the present file is the one that the client has read; false fails with `precondition`
   * @throws Fault forbidden, notFound, isDirectory, precondition, noSpace, readOnly
   */
  async save(path: TreePath, from: LazySource, matches: (node: Node) => boolean): Promise<Node> {
    requireAction(this.actor, 'modify')
    this.#authorization.requireChangeable(path)
    const check = (node: Node | undefined) => {
      if (!node) throw new Fault('notFound', 'There is no file or folder with this name.')
      if (node.kind === 'danglingLink') throw linkTargetMissing()
      requireReplaceable(node)
      if (!matches(node))
        throw new Fault('precondition', 'The file was changed after you opened it. Open it again.')
    }
    check(await this.#storage.stat(path))
    const accept = (node: Node | undefined) => {
      this.#authorization.check('modify', path)
      check(node)
    }
    const source = typeof from === 'function' ? await from() : from
    const isRepeatable = !(source instanceof ReadableStream)
    return this.#runner.run({ event: 'save', verb: 'save', path, isRepeatable }, (recordOptions) =>
      this.#storage.write(path, source, { ...recordOptions, overwrite: true, accept }),
    )
  }

  /**
   * Creates a folder and the missing ones above it.
   * @throws Fault forbidden, notDirectory, readOnly
   */
  async mkdir(path: TreePath): Promise<void> {
    requireAction(this.actor, 'create')
    this.#authorization.requireChangeable(path)
    const request = { event: 'upload', verb: 'folder', path, isRepeatable: true } as const
    await this.#runner.run(request, async (recordOptions) => {
      await this.#authorization.recheck('create', path)
      const accept = () => this.#authorization.check('create', path)
      return this.#storage.mkdir(path, { ...recordOptions, accept })
    })
  }

  /**
   * @param options.onlyToTrash fail instead of deleting permanently what the trash cannot keep
   * @throws Fault forbidden (also for the root, and if anything inside is denied), notFound, readOnly, conflict
   *   (`onlyToTrash`)
   */
  remove(path: TreePath, options?: { onlyToTrash: boolean }): Promise<void> {
    return this.#transfers.remove(path, options)
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
  usage(path: TreePath): Promise<Usage> {
    return this.#listings.usage(path, this.actor.id)
  }

  /**
   * Calls `changed` when a folder changes, until it is disposed of.
   * @throws Fault notFound, notDirectory, forbidden, unavailable, unsupported (the storage does not report changes)
   */
  watch(path: TreePath, changed: () => void): Promise<Disposable> {
    return this.#listings.watch(path, changed)
  }
}
