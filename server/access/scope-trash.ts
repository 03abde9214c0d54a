/**
 * The trash and the earlier versions of one scope: what was deleted or replaced comes back, is read, or goes for ever.
 * Rules and rights are those of this moment, and are asked about the place where the content was.
 */

import type { ByteRange, Node, Opened } from '#server/storage/node.ts'
import type { Step } from '#server/storage/step.ts'
import type { Kept, Storage } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { joinPath, parentPath, type TreePath } from '#wire/paths.ts'
import type { Authorization } from './authorization.ts'
import type { ChangeRunner } from './change-runner.ts'
import type { PathListener } from './file-events.ts'
import { type Ahead, Inversion } from './inversion.ts'
import type { KeptThing, PastStep } from './kept-thing.ts'
import { must } from './policy.ts'
import { find } from './tree-checks.ts'

/** Names that are given back between two turns of the event loop. */
const SLICE = 500

export class ScopeTrash {
  readonly #storage: Storage
  readonly #kept: Kept
  readonly #authorization: Authorization
  readonly #runner: ChangeRunner
  readonly #listener: PathListener

  constructor(
    storage: Storage,
    kept: Kept,
    authorization: Authorization,
    runner: ChangeRunner,
    listener: PathListener,
  ) {
    this.#storage = storage
    this.#kept = kept
    this.#authorization = authorization
    this.#runner = runner
    this.#listener = listener
  }

  /** Whether what was at a path is the actor's to know of. In whatever case the name is written. */
  sees(path: TreePath): boolean {
    const { filter } = this.#authorization
    return filter.sees(path) && filter.sees(path, true)
  }

  /**
   * Gives something deleted a name again.
   *
   * @param parents makes the folders above it that are missing
   * @throws Fault forbidden, notFound (it is gone for ever, or the folder is), conflict, noSpace, readOnly
   */
  async restore(thing: KeptThing, to: TreePath, { parents }: { parents: boolean }): Promise<void> {
    must(this.#authorization.actor, 'create')
    this.#mustSee(thing.path)
    this.#authorization.mustChange(to)
    if (await find(this.#storage, to)) throw new Fault('conflict', 'The name is already taken.')
    if (!parents && !(await find(this.#storage, parentPath(to)))) {
      throw new Fault('notFound', 'The folder it was in is not there any more.')
    }
    await this.mustAllow(thing, to)
    const doing = { event: 'upload', verb: 'restore', path: thing.path, to, repeats: true } as const
    await this.#runner.run(doing, async (told) => {
      this.#authorization.mustStill('create', thing.path, to)
      if (parents) await this.#storage.mkdir(parentPath(to), told)
      const accept = this.#authorization.acceptAt('create', to)
      const real = await this.#kept.restore(thing.name, to, { ...told, overwrite: false, accept })
      if (thing.shares)
        this.#listener.cameBack?.(thing.shares, this.#inTree(thing.path), this.#inTree(real))
    })
  }

  /**
   * Puts an earlier version in the place of a file. What it replaces is a version from then on.
   *
   * @throws Fault forbidden, notFound, isDirectory, noSpace, readOnly
   */
  async restoreVersion(thing: KeptThing): Promise<void> {
    const { path } = thing
    must(this.#authorization.actor, 'modify')
    this.#authorization.mustChange(path)
    this.#mustSee(path)
    const { kind } = await this.#storage.stat(path)
    if (kind === 'folder') throw new Fault('isDirectory', 'A folder has this name.')
    const doing = { event: 'save', verb: 'restore', path, repeats: true } as const
    await this.#runner.run(doing, async (told) => {
      const accept = () => this.#authorization.mustStill('modify', path)
      await this.#kept.restore(thing.name, path, { ...told, overwrite: true, accept })
    })
  }

  /** The bytes of an earlier version, or of a file in the trash. @throws Fault forbidden, notFound, unsupported */
  read(thing: KeptThing, range?: (node: Node) => ByteRange | undefined): Promise<Opened> {
    must(this.#authorization.actor, 'download')
    this.#mustSee(thing.path)
    return this.#kept.read(thing.name, thing.path, range)
  }

  /** Removes for ever. @throws Fault forbidden */
  async discard(thing: KeptThing): Promise<void> {
    must(this.#authorization.actor, 'purge')
    this.#mustSee(thing.path)
    await this.mustAllow(thing, thing.path)
    await this.#kept.discard(thing.name)
  }

  /**
   * Takes past steps back, the last first, in one entry of the journal.
   *
   * @throws Fault forbidden, precondition (something has changed since), notFound, conflict
   */
  async invert(
    steps: readonly PastStep[],
    undo: { of: number; verb: 'undo' | 'redo' },
  ): Promise<void> {
    await this.check(steps)
    const [first] = steps
    if (!first) return
    const doing = {
      event: undefined,
      verb: undo.verb,
      path: first.path,
      to: first.to,
      undoOf: undo.of,
      repeats: false,
    }
    await this.#runner.run(doing, async (told) => {
      const inversion = this.#inversion()
      const tellsNothing = {
        ...told,
        record: () => undefined,
        recordTogether: async () => undefined,
      }
      const pending = steps.toReversed()
      for (let step = pending.shift(); step; step = pending.shift()) {
        if (!isRenamed(step)) {
          await inversion.run(step, told)
          continue
        }
        // Many that only get their old names back are written down at once.
        const next = pending.findIndex((later) => !isRenamed(later))
        const run = [step, ...pending.splice(0, next < 0 ? pending.length : next)].filter(isRenamed)
        for (let first = 0; first < run.length; first += SLICE) {
          const slice = run.slice(first, first + SLICE)
          await told.recordTogether(slice.map(renamedBack))
          for (const renamed of slice) await inversion.run(renamed, tellsNothing)
        }
      }
    })
  }

  /**
   * Refuses what `invert` would refuse, before anything is touched.
   *
   * @param before what was taken back before; what these steps leave is added to it
   * @throws as `invert`
   */
  async check(steps: readonly PastStep[], before: Ahead = new Map()): Promise<void> {
    const ahead = await this.#inversion().check(steps, before)
    for (const [path, mark] of ahead) before.set(path, mark)
  }

  /** Asks the rules about all of something kept, where it was and where it goes. @throws Fault forbidden */
  async mustAllow(
    thing: Pick<KeptThing, 'name' | 'path' | 'isFolder'>,
    to: TreePath,
  ): Promise<void> {
    const { filter } = this.#authorization
    if (!filter.isLimited) return
    const paths = thing.isFolder ? this.#kept.paths(thing.name) : ['']
    for await (const below of paths) {
      const touched = [joinPath(thing.path, below), joinPath(to, below)]
      const isAllowed = touched.every(
        (path) => filter.allows(path, false) && filter.allows(path, true),
      )
      if (!isAllowed)
        throw new Fault('forbidden', 'You do not have access to something in this folder.')
    }
  }

  #mustSee(path: TreePath): void {
    if (!this.sees(path)) throw new Fault('forbidden', 'You do not have access to this.')
  }

  #inTree(path: TreePath): TreePath {
    return joinPath(this.#authorization.actor.scope, path)
  }

  #inversion(): Inversion {
    return new Inversion(this.#storage, this.#kept, this.#authorization, {
      runner: this.#runner,
      listener: this.#listener,
      mustAllow: (thing, to) => this.mustAllow(thing, to),
    })
  }
}

type Renamed = PastStep & { to: TreePath }

function isRenamed(step: PastStep): step is Renamed {
  // On another file system a thing becomes another one: that is told when it has come there.
  return step.kind === 'renamed' && step.to !== undefined && step.before === step.after
}

function renamedBack({ path, to, after, isFolder }: Renamed): Step {
  return {
    kind: 'renamed',
    role: 'trash',
    path: to,
    to: path,
    before: after,
    after,
    kept: '',
    isFolder,
    sizeBytes: 0,
    modifiedMs: 0,
    happened: true,
  }
}
