/**
 * Taking single steps of a change back. Each inverse is a verb of the storage, asked of the rights and rules of this
 * moment, and refused when what it would touch is not what the change left.
 */
import type { Mark } from '#server/storage/step.ts'
import type { Kept, Storage } from '#server/storage/storage.ts'
import type { EventName } from '#wire/events.ts'
import { Fault } from '#wire/fault.ts'
import { joinPath, nameOf, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import type { Action } from '#wire/permissions.ts'
import type { Authorization } from './authorization.ts'
import type { ChangeRunner, RecordOptions } from './change-runner.ts'
import type { PathListener } from './file-events.ts'
import type { KeptThing, PastStep } from './kept-thing.ts'
import { must } from './policy.ts'
import { mustStandAlone, mustTransfer } from './tree-checks.ts'

/** What the inverse of each kind asks for, and which commands are tied to it. */
const INVERSE: Record<PastStep['kind'], { action: Action; event: EventName }> = {
  made: { action: 'delete', event: 'delete' },
  removed: { action: 'create', event: 'upload' },
  replaced: { action: 'modify', event: 'save' },
  renamed: { action: 'rename', event: 'rename' },
}

/** What names have when something is taken back; undefined for nothing. */
export type Ahead = Map<TreePath, Mark | undefined>

interface InversionDeps {
  runner: ChangeRunner
  listener: PathListener
  mustAllow(thing: Pick<KeptThing, 'name' | 'path' | 'isFolder'>, to: TreePath): Promise<void>
}

export class Inversion {
  readonly #storage: Storage
  readonly #kept: Kept
  readonly #authorization: Authorization
  readonly #deps: InversionDeps

  constructor(storage: Storage, kept: Kept, authorization: Authorization, deps: InversionDeps) {
    this.#storage = storage
    this.#kept = kept
    this.#authorization = authorization
    this.#deps = deps
  }

  /**
   * Looks at all steps, from the last to the first, as if each later one were taken back already.
   *
   * @param before what was taken back before them
   * @returns what taking them back leaves
   * @throws Fault forbidden, precondition
   */
  async check(steps: readonly PastStep[], before: Ahead = new Map()): Promise<Ahead> {
    const ahead: Ahead = new Map()
    const look = async (path: TreePath) => {
      if (ahead.has(path)) return ahead.get(path)
      return before.has(path) ? before.get(path) : await this.#kept.look(path)
    }
    for (const step of steps.toReversed()) {
      const { kind, path, to, after, kept } = step
      must(this.#authorization.actor, INVERSE[kind].action)
      for (const each of to ? [path, to] : [path]) this.#authorization.mustChange(each)
      const content = kept === '' ? undefined : this.#kept.mark(kept)
      if ((kind === 'removed' || kind === 'replaced') && content === undefined) {
        throw this.#kept.isAway(kept) ? away(path) : lost(path)
      }
      const now = kind === 'removed' ? undefined : after
      if ((await look(to ?? path)) !== now) throw changed(to ?? path)
      if (kind === 'renamed' && (await look(path)) !== undefined) throw taken(path)
      if (kind === 'renamed' || kind === 'removed') {
        const folder = parentPath(path)
        if (folder !== ROOT && (await look(folder)) === undefined) throw homeless(path)
      }
      if (to) ahead.set(to, undefined)
      ahead.set(path, kind === 'made' ? undefined : kind === 'renamed' ? after : content)
    }
    return ahead
  }

  /** @throws as the verbs of the storage */
  async run(step: PastStep, told: RecordOptions): Promise<void> {
    const { event } = INVERSE[step.kind]
    const [path, destination] = step.to ? [step.to, step.path] : [step.path, undefined]
    await this.#deps.runner.hooked(event, path, destination, () => this.#act(step, told))
  }

  async #act(
    { kind, role, path, to, after, kept, isFolder, shares }: PastStep,
    told: RecordOptions,
  ) {
    const { action } = INVERSE[kind]
    const accept = () => this.#authorization.mustStill(action, ...(to ? [path, to] : [path]))
    const { listener } = this.#deps
    switch (kind) {
      case 'made':
        await mustStandAlone(this.#storage, this.#authorization, path)
        accept()
        await this.#storage.remove(path, { ...told, expect: after, onlyEmpty: role === 'part' })
        return listener.removed(this.#inTree(path))
      case 'removed':
        await this.#deps.mustAllow({ name: kept, path, isFolder }, path)
        await this.#kept.restore(kept, path, { ...told, overwrite: false, accept })
        if (shares) listener.cameBack?.(shares, this.#inTree(path), this.#inTree(path))
        return
      case 'replaced':
        return void (await this.#kept.restore(kept, path, {
          ...told,
          overwrite: true,
          expect: after,
          accept,
        }))
      case 'renamed': {
        const now = to ?? path
        const ask = { from: now, to: path, overwrite: false, follow: false }
        await mustTransfer(this.#storage, this.#authorization, ask)
        await this.#storage.move(now, path, { ...told, overwrite: false, expect: after, accept })
        return listener.moved(this.#inTree(now), this.#inTree(path))
      }
    }
  }

  #inTree(path: TreePath): TreePath {
    return joinPath(this.#authorization.actor.scope, path)
  }
}

function changed(path: TreePath): Fault {
  return new Fault('precondition', `“${nameOf(path)}” has changed since.`)
}

function taken(path: TreePath): Fault {
  return new Fault('conflict', `Something else is called “${nameOf(path)}” now.`)
}

function lost(path: TreePath): Fault {
  return new Fault('expired', `The content of “${nameOf(path)}” is not kept any more.`)
}

function away(path: TreePath): Fault {
  return new Fault(
    'unavailable',
    `“${nameOf(path)}” is kept on a file system that is not mounted now.`,
  )
}

function homeless(path: TreePath): Fault {
  return new Fault('notFound', `The folder that held “${nameOf(path)}” is not there any more.`)
}
