/**
 * Reverses single steps of a change. Each reversal is an operation of the storage, subject to present rights and rules, and
 * refused if the file has changed since.
 */
import type { Mark } from '#server/storage/step.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { TrashStore } from '#server/storage/trash-store.ts'
import type { EventName } from '#wire/api/events.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { joinPath, nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import type { PolicyAction } from '#wire/permissions.ts'
import type { Authorization } from '../authorization.ts'
import type { PathListener } from '../file-events.ts'
import { requireAction } from '../policy.ts'
import type { ChangeRunner, RecordOptions } from './change-runner.ts'
import type { PastStep, TrashItem } from './trash-item.ts'
import { checkRemoval, checkTransfer } from './tree-checks.ts'

/** The right that each reversal needs, and the event of its commands. */
const INVERSE: Record<PastStep['kind'], { action: PolicyAction; event: EventName }> = {
  made: { action: 'delete', event: 'delete' },
  removed: { action: 'create', event: 'upload' },
  replaced: { action: 'modify', event: 'save' },
  renamed: { action: 'rename', event: 'rename' },
}

/** The marks that paths would have after earlier reversals; undefined for none. */
type AssumedMarks = Map<TreePath, Mark | undefined>

/** What earlier reversals, which are also only assumed, would leave. */
export interface Assumed {
  marks: AssumedMarks
  /** The marks of objects that would be in the trash. */
  trashed: Set<Mark>
}

export function nothingAssumed(): Assumed {
  return { marks: new Map(), trashed: new Set() }
}

/** What the reversal of steps would do. */
interface Forecast extends Assumed {
  /** New folders that stay, because they contain something else by now. */
  staying: ReadonlySet<PastStep>
}

interface StepInverterDeps {
  runner: ChangeRunner
  listener: PathListener
  requireAllowed(item: Pick<TrashItem, 'name' | 'path' | 'isFolder'>, to: TreePath): Promise<void>
}

export class StepInverter {
  readonly #storage: Storage
  readonly #trash: TrashStore
  readonly #authorization: Authorization
  readonly #deps: StepInverterDeps

  constructor(
    storage: Storage,
    trash: TrashStore,
    authorization: Authorization,
    deps: StepInverterDeps,
  ) {
    this.#storage = storage
    this.#trash = trash
    this.#authorization = authorization
    this.#deps = deps
  }

  /**
   * Checks all steps from the last to the first, each as if the later ones were already reversed.
   *
   * @throws Fault forbidden, outside (a link has replaced a folder), precondition (a file has changed since, or its folder
   *   is another one), notFound (a folder is missing), expired (content was deleted permanently), unavailable (content is
   *   on a file system that is not mounted), conflict (a name is taken, or nothing would be reversed)
   */
  async check(
    steps: readonly PastStep[],
    { marks: before, trashed: trashedBefore }: Assumed = nothingAssumed(),
  ): Promise<Forecast> {
    const ahead: AssumedMarks = new Map()
    const trashed = new Set<Mark>()
    const staying = new Set<PastStep>()
    const markAt = async (path: TreePath) => {
      if (ahead.has(path)) return ahead.get(path)
      return before.has(path) ? before.get(path) : await this.#trash.markAt(path)
    }
    // Many steps have the same folder, which is opened once.
    const openedParents: AssumedMarks = new Map()
    const parentAt = async (path: TreePath) => {
      const folder = parentPath(path)
      for (const marks of [ahead, before, openedParents]) {
        if (marks.has(folder)) return marks.get(folder)
      }
      const mark = await this.#trash.parentAt(path)
      openedParents.set(folder, mark)
      return mark
    }
    for (const step of steps.toReversed()) {
      const { kind, path, to, after, kept } = step
      requireAction(this.#authorization.actor, INVERSE[kind].action)
      for (const affected of to ? [path, to] : [path])
        this.#authorization.requireChangeable(affected)
      const found = kept === '' ? undefined : await this.#trash.mark(kept)
      const content = found ?? (trashedBefore.has(step.before) ? step.before : undefined)
      if ((kind === 'removed' || kind === 'replaced') && content === undefined) {
        throw this.#trash.isAway(kept) ? contentAway(path) : contentDeleted(path)
      }
      const isFree = async () => (await markAt(path)) === undefined
      if (kind === 'removed' && !(await isFree())) throw nameTakenSince(path)
      if (kind !== 'removed' && (await markAt(to ?? path)) !== after) throw changed(to ?? path)
      if (kind === 'renamed' && !(await isFree())) throw nameTaken(path)
      const parent = await parentAt(path)
      if (parent === undefined) throw parentMissing(path)
      if (isOther(parent, step.parent)) throw parentChanged(path)
      if (to && isOther(await parentAt(to), step.toParent)) throw parentChanged(to)
      if (isNewFolder(step) && !(await this.#isEmptied(path, markAt))) {
        staying.add(step)
        continue
      }
      if ((kind === 'made' || kind === 'replaced') && after !== '') trashed.add(after)
      if (to) ahead.set(to, undefined)
      ahead.set(path, kind === 'made' ? undefined : kind === 'renamed' ? after : content)
    }
    if (staying.size === steps.length) throw notEmpty()
    return { marks: ahead, trashed, staying }
  }

  /** Whether a folder would be empty after the reversals so far. */
  async #isEmptied(
    folder: TreePath,
    markAt: (path: TreePath) => Promise<Mark | undefined>,
  ): Promise<boolean> {
    for (const { path } of await this.#storage.list(folder)) {
      if ((await markAt(path)) !== undefined) return false
    }
    return true
  }

  /**
   * Reverses one step.
   *
   * @throws as the operations of the storage
   */
  async run(step: PastStep, recordOptions: RecordOptions): Promise<void> {
    const { event } = INVERSE[step.kind]
    const [path, destination] = step.to ? [step.to, step.path] : [step.path, undefined]
    await this.#deps.runner.hooked(event, path, destination, () => this.#act(step, recordOptions))
  }

  async #act(
    { kind, role, path, to, parent, toParent, after, kept, isFolder, shares }: PastStep,
    recordOptions: RecordOptions,
  ) {
    const { action } = INVERSE[kind]
    const accept = () => this.#authorization.check(action, ...(to ? [path, to] : [path]))
    const { listener } = this.#deps
    switch (kind) {
      case 'made':
        await checkRemoval(this.#storage, this.#authorization, path)
        accept()
        try {
          const onlyEmpty = role === 'part'
          const expected = { expect: after, expectParent: parent, accept }
          await this.#storage.remove(path, { ...recordOptions, ...expected, onlyEmpty })
        } catch (error) {
          // An entry was created in the folder since the check, so the folder stays.
          if (role === 'part' && isFault(error, 'conflict')) return
          throw error
        }
        return listener.removed(this.#inTree(path))
      case 'removed':
        await this.#deps.requireAllowed({ name: kept, path, isFolder }, path)
        await this.#trash.restore(kept, path, {
          ...recordOptions,
          overwrite: false,
          expectParent: parent,
          accept,
        })
        if (shares)
          await listener.restored?.(shares, this.#inTree(path), this.#inTree(path), () => true)
        return
      case 'replaced':
        return void (await this.#trash.restore(kept, path, {
          ...recordOptions,
          overwrite: true,
          expect: after,
          expectParent: parent,
          accept,
        }))
      case 'renamed': {
        const current = to ?? path
        const transfer = { from: current, to: path, overwrite: false, follow: false }
        await checkTransfer(this.#storage, this.#authorization, transfer)
        await this.#storage.move(current, path, {
          ...recordOptions,
          overwrite: false,
          expect: after,
          expectParent: toParent,
          expectTargetParent: parent,
          accept,
        })
        return listener.moved(this.#inTree(current), this.#inTree(path))
      }
    }
  }

  #inTree(path: TreePath): TreePath {
    return joinPath(this.#authorization.actor.scope, path)
  }
}

/** Whether a step created a folder only to hold other new entries. */
function isNewFolder({ kind, role, isFolder }: PastStep): boolean {
  return kind === 'made' && role === 'part' && isFolder
}

/** Whether a folder is known to be another one than the expected; an empty mark says nothing. */
function isOther(mark: Mark | undefined, expected: Mark): boolean {
  return expected !== '' && mark !== '' && mark !== expected
}

function notEmpty(): Fault {
  return new Fault('conflict', 'The folder is not empty.', { reason: 'folderNotEmpty' })
}

function changed(path: TreePath): Fault {
  return new Fault('precondition', `“${nameOf(path)}” has changed since.`, {
    reason: 'undoChanged',
  })
}

/** For content that was removed: the trash can restore it under another name. */
function nameTakenSince(path: TreePath): Fault {
  const message = `Another file or folder has the name “${nameOf(path)}” now. Restore the deleted one from the trash.`
  return new Fault('precondition', message, { reason: 'undoTaken' })
}

function nameTaken(path: TreePath): Fault {
  return new Fault('conflict', `Another file or folder has the name “${nameOf(path)}”.`, {
    reason: 'undoTaken',
  })
}

function contentDeleted(path: TreePath): Fault {
  return new Fault('expired', `The content of “${nameOf(path)}” was deleted permanently.`, {
    reason: 'contentDeleted',
  })
}

function contentAway(path: TreePath): Fault {
  return new Fault(
    'unavailable',
    `The content of “${nameOf(path)}” is on a file system that is not mounted. Mount it, then try again.`,
    { reason: 'notMounted' },
  )
}

function parentChanged(path: TreePath): Fault {
  return new Fault('precondition', `The folder of “${nameOf(path)}” is not the one that it was.`, {
    reason: 'undoMoved',
  })
}

function parentMissing(path: TreePath): Fault {
  return new Fault('notFound', `The folder that contained “${nameOf(path)}” no longer exists.`, {
    reason: 'undoMoved',
  })
}
