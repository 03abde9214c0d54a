/**
 * The only way to files. Every verb is the same lines: may the actor do this, may the actor see
 * this, what was tied to it before, then the storage, and what was tied to it after. Refusals throw.
 */
import { inSlices } from '#server/slices.ts'
import type {
  ByteRange,
  Node,
  Opened,
  Source,
  Start,
  Storage,
  Workplace,
} from '#server/storage/storage.ts'
import type { Usage } from '#wire/entry.ts'
import type { EventName } from '#wire/events.ts'
import { Fault } from '#wire/fault.ts'
import { joinPath, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import type { Action } from '#wire/permissions.ts'
import type { Actor } from './actor.ts'
import type { Hooks, Witness } from './happening.ts'
import { may, must } from './policy.ts'
import { Standing } from './standing.ts'
import { find, mustStandAlone, mustTransfer } from './whole.ts'

export interface NewContent {
  overwrite: boolean
  modifiedMs?: number | undefined
}

export class Scope {
  readonly #storage: Storage
  readonly #witness: Witness
  readonly #hooks: Hooks
  readonly #standing: Standing

  /**
   * @param storage the actor's own tree, as `scopes.ts` cuts it out
   * @param present the actor with the rights and rules of that moment; throws when they may do nothing
   *   any more. Asked when a change is about to be made, which may be days after the request began.
   */
  constructor(
    storage: Storage,
    actor: Actor,
    witness: Witness,
    hooks: Hooks,
    present = () => actor,
  ) {
    this.#witness = witness
    this.#hooks = hooks
    this.#standing = new Standing(actor, storage.can.foldsCase, present)
    this.#storage = storage.within(ROOT, {
      admit: (real, foldsCase) => this.#standing.mustSee(real, foldsCase),
    })
  }

  get actor(): Actor {
    return this.#standing.actor
  }

  /** Whether the actor may do `action` at all. */
  may(action: Action): boolean {
    return may(this.actor, action)
  }

  /** @throws Fault notFound, forbidden */
  async stat(path: TreePath): Promise<Node> {
    this.#standing.mustSee(path)
    return this.#storage.stat(path)
  }

  /** What the actor may see of a folder. @throws Fault notFound, notDirectory, forbidden */
  async list(path: TreePath): Promise<Node[]> {
    this.#standing.mustSee(path)
    const nodes = await this.#storage.list(path)
    const { sight } = this.#standing
    return sight.isWhole ? nodes : inSlices(sight.shown(nodes))
  }

  /** @throws Fault notFound, isDirectory, unsupported, forbidden */
  async read(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    must(this.actor, 'download')
    return this.peek(path, range)
  }

  /**
   * The same bytes for the server's own use, such as telling text from pictures. Never to be sent to
   * an actor without the download permission.
   *
   * @throws as `read`
   */
  async peek(path: TreePath, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    this.#standing.mustSee(path)
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
    this.#standing.mustSee(folder)
    for (const file of files) this.#standing.mustSeeBoth(file)
    return this.#storage.starts(folder, files, bytesMax)
  }

  /**
   * Puts a new file in place, with the folders above it, or replaces one.
   *
   * @throws Fault forbidden, conflict, isDirectory, noSpace, readOnly
   */
  async write(path: TreePath, from: Source, how: NewContent): Promise<Node> {
    await this.canWrite(path, how.overwrite)
    return this.#during('upload', path, undefined, async () => {
      await this.#storage.mkdir(parentPath(path))
      const accept = this.#standing.acceptAt('create', path)
      return this.#storage.write(path, from, {
        ...how,
        accept: (existing) => accept(existing !== undefined),
      })
    })
  }

  /**
   * Refuses, before a byte is taken, what `write` would refuse at the end.
   *
   * @throws Fault forbidden, conflict, isDirectory, readOnly
   */
  async canWrite(path: TreePath, overwrite: boolean): Promise<void> {
    must(this.actor, 'create')
    this.#standing.mustChange(path)
    const existing = await find(this.#storage, path)
    if (!existing) return
    if (existing.kind === 'folder') throw new Fault('isDirectory', 'A folder has this name.')
    if (!overwrite) throw new Fault('conflict', 'The name is already taken.')
    must(this.actor, 'overwrite')
  }

  /**
   * Replaces the content of a file that is there.
   *
   * @param matches decides from the present file whether to go on; false is a failed precondition
   * @throws Fault forbidden, notFound, isDirectory, precondition, noSpace, readOnly
   */
  async save(path: TreePath, from: Source, matches: (node: Node) => boolean): Promise<Node> {
    must(this.actor, 'modify')
    this.#standing.mustChange(path)
    const check = (node: Node | undefined) => {
      if (!node) throw new Fault('notFound', 'There is nothing here by this name.')
      if (node.kind === 'folder') throw new Fault('isDirectory', 'This is a folder.')
      if (!matches(node)) throw new Fault('precondition', 'The file was changed meanwhile.')
    }
    check(await this.#storage.stat(path))
    const accept = (node: Node | undefined) => {
      this.#standing.mustStill('modify', path)
      check(node)
    }
    return this.#during('save', path, undefined, () =>
      this.#storage.write(path, from, { overwrite: true, accept }),
    )
  }

  /** Makes a folder and the missing ones above it. @throws Fault forbidden, notDirectory, readOnly */
  async mkdir(path: TreePath): Promise<void> {
    must(this.actor, 'create')
    this.#standing.mustChange(path)
    await this.#during('upload', path, undefined, () => {
      this.#standing.mustStill('create', path)
      return this.#storage.mkdir(path)
    })
  }

  /** @throws Fault forbidden (also for the root, and for any denied thing inside), notFound, readOnly */
  async remove(path: TreePath): Promise<void> {
    must(this.actor, 'delete')
    this.#standing.mustChange(path)
    await mustStandAlone(this.#storage, this.#standing, path)
    await this.#during('delete', path, undefined, async () => {
      this.#standing.mustStill('delete', path)
      const real = await this.#storage.remove(path)
      for (const name of new Set([path, real])) this.#witness.removed(this.#inTree(name))
    })
  }

  /**
   * Renames or moves.
   *
   * @throws Fault forbidden, badRequest (into itself), notFound, conflict, readOnly
   */
  async move(from: TreePath, to: TreePath, how: { overwrite: boolean }): Promise<void> {
    must(this.actor, 'rename')
    await mustTransfer(this.#storage, this.#standing, { from, to, ...how, follow: false })
    await this.#during('rename', from, to, async () => {
      this.#standing.mustStill('rename', from, to)
      await this.#storage.mkdir(parentPath(to))
      const accept = this.#standing.acceptAt('rename', from, to)
      const real = await this.#storage.move(from, to, { ...how, accept })
      this.#witness.moved(this.#inTree(real.from), this.#inTree(real.to))
      if (from !== real.from) this.#witness.moved(this.#inTree(from), this.#inTree(to))
    })
  }

  /** @throws Fault forbidden, badRequest (into itself), notFound, conflict, noSpace, readOnly */
  async copy(from: TreePath, to: TreePath, how: { overwrite: boolean }): Promise<void> {
    must(this.actor, 'copy')
    await mustTransfer(this.#storage, this.#standing, { from, to, ...how, follow: true })
    await this.#during('copy', from, to, async () => {
      this.#standing.mustStill('copy', from, to)
      await this.#storage.mkdir(parentPath(to))
      await this.#storage.copy(from, to, {
        ...how,
        accept: this.#standing.acceptAt('copy', from, to),
      })
    })
  }

  /** @throws Fault notFound, forbidden */
  async usage(path: TreePath): Promise<Usage> {
    this.#standing.mustSee(path)
    return this.#storage.usage(path)
  }

  /**
   * Calls `changed` when a folder changes, until it is disposed of.
   *
   * @throws Fault notFound, notDirectory, forbidden, unavailable, unsupported (nobody tells)
   */
  async watch(path: TreePath, changed: () => void): Promise<Disposable> {
    this.#standing.mustSee(path)
    const { watch } = this.#storage.can
    if (watch) return watch(path, changed)
    throw new Fault('unsupported', 'Nobody tells of changes here.')
  }

  /**
   * Opens a folder for a program of the actor's. Hidden dotfiles are a matter of looks and stay within its
   * reach.
   *
   * @throws Fault forbidden, notFound, notDirectory, unsupported
   */
  async workplace(path: TreePath): Promise<Workplace> {
    must(this.actor, 'execute')
    this.#standing.mustSee(path)
    this.#standing.mustBeFree()
    return this.#open(path)
  }

  /**
   * Opens the folder of a file for a program of the server's own, which reads that file and tells the
   * actor no more of it than `read` would.
   *
   * @throws Fault forbidden, notFound, unsupported
   */
  async workshop(file: TreePath): Promise<Workplace> {
    must(this.actor, 'download')
    this.#standing.mustSee(file)
    return this.#open(parentPath(file))
  }

  async #open(path: TreePath): Promise<Workplace> {
    const { workplace } = this.#storage.can
    if (workplace) return workplace(path)
    throw new Fault('unsupported', 'No command can run where these files are.')
  }

  /** Does something to files between what is tied to it before and after. */
  async #during<T>(
    event: EventName,
    path: TreePath,
    destination: TreePath | undefined,
    act: () => Promise<T>,
  ): Promise<T> {
    const { actor } = this
    const happening = { actor, path, destination, workplace: () => this.#open(ROOT) }
    await this.#hooks({ ...happening, hook: `before_${event}` })
    const result = await act()
    await this.#hooks({ ...happening, hook: `after_${event}` })
    return result
  }

  #inTree(path: TreePath): TreePath {
    return joinPath(this.actor.scope, path)
  }
}
