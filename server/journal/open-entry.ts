/** One journal entry while its change is running. */
import type { Actor } from '#server/access/actor.ts'
import type { Change, Origin, RecordedChange } from '#server/access/recorder.ts'
import { isDatabaseFull } from '#server/db/database-full.ts'
import type { StoredStep } from '#server/db/rows/journal-rows.ts'
import { databaseFull } from '#server/lib/common-faults.ts'
import type { Step } from '#server/storage/step.ts'
import { Fault } from '#wire/fault.ts'
import { joinPath, type TreePath } from '#wire/paths.ts'
import { inTree } from './changed-folders.ts'
import type { JournalDeps } from './deps.ts'
import { recoverEntry } from './recover-entry.ts'

/** A running change, and the data of the journal that its entry needs. */
export interface OpenChange {
  actor: Actor
  origin: Origin
  change: Change
  root: string
  /** Entries of this process whose change is still running. */
  inProgress: Set<number>
  /** Called with the size of each new entry in bytes. */
  onWritten(bytes: number): void
}

/** Other events are handled after so many written steps. */
const YIELD_EVERY = 500

interface RecordedStep {
  /** The storage may change it after it was written. */
  step: Step
  /** How it was written: its mark, and the name in the trash, which is empty if the content was not to be kept. */
  written: Pick<Step, 'after' | 'kept' | 'completeMs'>
}

export class OpenEntry implements RecordedChange {
  readonly #deps: JournalDeps
  readonly #openChange: OpenChange
  #recorded: RecordedStep[] = []
  /** Resolves when the steps that were given last are recorded, or refused. */
  #lastRecord: Promise<unknown> = Promise.resolve()
  readonly #atMs = Date.now()
  /** The name of this process when it recorded the first step; empty before. */
  #writer = ''
  id: number | undefined

  constructor(deps: JournalDeps, openChange: OpenChange) {
    this.#deps = deps
    this.#openChange = openChange
  }

  get keepRemoved(): boolean {
    const { actor, change } = this.#openChange
    return this.#deps.trash.keepsAt(joinPath(actor.scope, change.path))
  }

  record(steps: Step[]): Promise<void> {
    const recorded = this.#lastRecord.then(() => this.#recordNext(steps))
    this.#lastRecord = recorded.catch(() => undefined)
    return recorded
  }

  async #recordNext(steps: Step[]): Promise<void> {
    const { rows, store, peers } = this.#deps
    if (!store) return
    if (this.id === undefined) this.#writer = this.#openChange.origin.writer ?? peers.writer
    const before = { id: this.id, count: this.#recorded.length }
    try {
      await rows.durably(() => this.#writeSteps(steps, before))
    } catch (error) {
      await this.#handleFailedWrite(steps, error)
    }
  }

  requireOwn(): void {
    if (this.#writer !== '' && !this.#deps.peers.holds(this.#writer)) throw takenOver()
  }

  async done(): Promise<void> {
    const { id } = this
    if (id === undefined) return
    try {
      await this.#whenFull(() => this.#writeDone(id))
    } catch (error) {
      // The change has happened. Recovery marks the entry as finished when there is room again.
      if (!isDatabaseFull(error)) throw error
    } finally {
      this.#openChange.inProgress.delete(id)
    }
    this.#deps.trash.scheduleCheck()
  }

  /** Runs work that may use the space that is kept for the database. */
  async #whenFull(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isDatabaseFull(error) || !this.#deps.release?.()) throw error
      }
    }
  }

  /**
   * @param before what is stored of the entry: this work may run again, after its rows were rolled back
   * @throws Fault unavailable if this process has another name now, because its lease was over while the work waited
   */
  async #writeSteps(
    steps: Step[],
    before: { id: number | undefined; count: number },
  ): Promise<void> {
    if (this.id !== undefined && this.id !== before.id) this.#openChange.inProgress.delete(this.id)
    this.id = before.id
    this.#recorded.length = before.count
    const first = before.count
    this.requireOwn()
    if (this.id !== undefined) await this.#requireStored(this.id)
    const id = this.id ?? (await this.#begin())
    for (const [index, step] of steps.entries()) await this.#write(id, first + index, step)
    // From here on no other process recovers the entry.
    this.id = id
    this.#openChange.inProgress.add(id)
    for (const step of steps) {
      const { after, kept, completeMs } = step
      this.#recorded.push({ step, written: { after, kept, completeMs } })
    }
  }

  /** @throws Fault noSpace if the change must not happen without its entry; other errors */
  async #handleFailedWrite(steps: Step[], error: unknown): Promise<void> {
    const isNeeded = !isDatabaseFull(error) || !this.#openChange.change.isLastResort
    // The storage does not make these steps; other steps of the entry may happen.
    if (isNeeded) for (const step of steps) step.happened = false
    // If the transaction was rolled back, the entry does not exist. Otherwise it is recovered later.
    if (this.id !== undefined && !(await this.#deps.rows.exists(this.id))) {
      this.#openChange.inProgress.delete(this.id)
      this.id = undefined
    }
    if (!isDatabaseFull(error)) throw error
    if (!this.#openChange.change.isLastResort) {
      throw databaseFull(
        'There is no space left for the journal. Free some space on the disk of the database.',
        { cause: error },
      )
    }
    this.#recorded = this.#recorded.filter(({ step }) => !steps.includes(step))
    for (const step of steps) step.kept = ''
  }

  /**
   * Writes a large entry in parts. Until the last part the entry is unfinished, and holds only steps that happened.
   */
  async #writeDone(id: number): Promise<void> {
    const { rows } = this.#deps
    const happened = this.#recorded.filter(({ step }) => step.happened).length
    for (let first = 0; first === 0 || first < this.#recorded.length; first += YIELD_EVERY) {
      await rows.lazily(async () => {
        await this.#requireStored(id)
        const slice = this.#recorded.slice(first, first + YIELD_EVERY)
        for (const [index, recorded] of slice.entries())
          await this.#writeHappened(id, first + index, recorded)
        if (first + YIELD_EVERY >= this.#recorded.length) await this.#finish(id, happened)
      })
    }
  }

  async #writeHappened(id: number, number: number, { step, written }: RecordedStep): Promise<void> {
    const { rows, trashRows } = this.#deps
    const plannedName = written.kept
    if (plannedName && (!step.happened || step.kept !== plannedName))
      await trashRows.remove(plannedName)
    if (!step.happened) {
      await rows.removeStep(id, number)
      return
    }
    const { after, kept, completeMs } = step
    const isAsWritten =
      after === written.after && kept === plannedName && completeMs === written.completeMs
    if (!isAsWritten) await rows.putStep(id, number, this.#stored(step))
    if (step.kept && step.kept !== plannedName) await this.#keep(id, step)
    if (step.kind === 'renamed') await this.#moveVersions(step)
    if (step.kind === 'removed' && step.role === 'trash' && !step.kept)
      await this.#dropVersions(step, id)
  }

  async failed(): Promise<void> {
    const { id } = this
    const { store } = this.#deps
    if (id === undefined || !store) return
    try {
      if (!(await this.#mayDecide(id))) return
      await this.#writeKnown(id)
      const { root, change } = this.#openChange
      const entry = { id, root, writer: this.#writer }
      await recoverEntry(entry, this.#deps, store, { mayWait: change.undoOf !== undefined })
    } catch (error) {
      // The entry stays unfinished until recovery, when there is room again.
      if (!isDatabaseFull(error)) throw error
    } finally {
      this.#openChange.inProgress.delete(id)
    }
  }

  /** Whether the entry is still that of this process. Otherwise another one finds out what has happened. */
  async #mayDecide(id: number): Promise<boolean> {
    const { rows, peers } = this.#deps
    return peers.holds(this.#writer) && (await rows.isUnfinished(id, this.#writer))
  }

  /** Called in the transaction that changes the entry. @throws Fault unavailable */
  async #requireStored(id: number): Promise<void> {
    if (!(await this.#deps.rows.isUnfinished(id, this.#writer))) throw takenOver()
  }

  /**
   * Writes what recovery cannot find on the disk: which steps did not happen, as another request may have changed their
   * names, and `completeMs` of folders.
   */
  async #writeKnown(id: number): Promise<void> {
    const { rows, trashRows } = this.#deps
    const known = [...this.#recorded.entries()].filter(
      ([, { step }]) => !step.happened || step.completeMs > 0,
    )
    for (let first = 0; first < known.length; first += YIELD_EVERY) {
      await rows.lazily(async () => {
        await this.#requireStored(id)
        for (const [number, { step, written }] of known.slice(first, first + YIELD_EVERY)) {
          if (step.happened) await rows.putStep(id, number, this.#stored(step))
          else await rows.removeStep(id, number)
          if (!step.happened && written.kept) await trashRows.remove(written.kept)
        }
      })
    }
  }

  #begin(): Promise<number> {
    const { actor, origin, change, root } = this.#openChange
    return this.#deps.rows.begin({
      root,
      writer: this.#writer,
      atMs: this.#atMs,
      userId: actor.id,
      username: actor.username,
      session: origin.session,
      client: origin.client,
      jobItem: origin.jobItem ?? 0,
      verb: change.verb,
      scope: actor.scope,
      path: joinPath(actor.scope, change.path),
      to: change.to === undefined ? '' : joinPath(actor.scope, change.to),
      undoOf: change.undoOf ?? 0,
    })
  }

  async #write(id: number, number: number, step: Step): Promise<void> {
    await this.#deps.rows.putStep(id, number, this.#stored(step))
    if (step.kept) await this.#keep(id, step)
  }

  /** Inserts the trash item for the removed content of a step. */
  async #keep(id: number, step: Step): Promise<void> {
    const { actor, root } = this.#openChange
    const path = this.#inTree(step.path)
    const { trashRows } = this.#deps
    const removed = { root, userId: actor.id, entry: id, path, mark: step.before }
    await trashRows.insert({
      name: step.kept,
      root,
      entry: id,
      broughtBy: await trashRows.broughtBy({ ...removed, isFolder: step.isFolder }),
      atMs: this.#atMs,
      userId: actor.id,
      username: actor.username,
      role: step.role,
      path,
      isFolder: step.isFolder,
      sizeBytes: step.sizeBytes,
      diskBytes: step.diskBytes,
      modifiedMs: Math.round(step.modifiedMs),
      shares: step.role === 'trash' ? await this.#deps.sharesAt(path) : '',
    })
  }

  async #finish(id: number, steps: number): Promise<void> {
    const { rows } = this.#deps
    if (steps === 0) {
      await rows.remove(id)
      this.id = undefined
      return
    }
    this.#openChange.onWritten(await rows.done(id))
  }

  /** Changes the paths of versions after a rename. */
  async #moveVersions({ path, to }: Step): Promise<void> {
    const { root } = this.#openChange
    if (to) await this.#deps.trashRows.moveVersions(root, this.#inTree(path), this.#inTree(to))
  }

  /** Separates versions from the path of a permanently deleted item. The files of a merge only have another path. */
  async #dropVersions({ path }: Step, id: number): Promise<void> {
    const { root, change } = this.#openChange
    if (!change.to) await this.#deps.trashRows.dropVersions(root, this.#inTree(path), id)
  }

  #stored(step: Step): StoredStep {
    const { kind, role, parent, toParent, before, after, kept, isFolder, completeMs } = step
    const to = step.to === undefined ? '' : this.#inTree(step.to)
    const path = this.#inTree(step.path)
    const folders = { parent, toParent }
    return { kind, role, path, to, ...folders, before, after, kept, isFolder, completeMs }
  }

  #inTree(path: TreePath): TreePath {
    return inTree(path, this.#openChange.actor.scope)
  }
}

function takenOver(): Fault {
  return new Fault(
    'unavailable',
    'This server did not respond for a while, and another one has taken the change over. Look whether it was made before you try again.',
  )
}
