/** One entry while its change is under way. */
import type { Actor } from '#server/access/actor.ts'
import type { Change, Origin, RecordedChange } from '#server/access/recorder.ts'
import type { StoredStep } from '#server/db/journal-rows.ts'
import type { Step } from '#server/storage/step.ts'
import { Fault } from '#wire/fault.ts'
import { joinPath, type TreePath } from '#wire/paths.ts'
import type { JournalDeps } from './deps.ts'
import { isDatabaseFull } from './full.ts'
import { settle } from './settle.ts'

export interface OpenChange {
  actor: Actor
  origin: Origin
  change: Change
  root: string
  /** Entries of this process that are under way. */
  live: Set<number>
  /** Told how much room a new entry takes, in bytes. */
  grown(bytes: number): void
}

/** Steps written between two turns of the event loop. */
const SLICE = 500

interface Told {
  step: Step
  /** The name under which its content was to be kept. */
  kept: string
}

export class OpenEntry implements RecordedChange {
  readonly #deps: JournalDeps
  readonly #open: OpenChange
  #told: Told[] = []
  readonly #atMs = Date.now()
  id: number | undefined

  constructor(deps: JournalDeps, open: OpenChange) {
    this.#deps = deps
    this.#open = open
  }

  get keep(): boolean {
    const { actor, change } = this.#open
    return this.#deps.trash.keepsAt(joinPath(actor.scope, change.path))
  }

  record(steps: Step[]): void {
    const { rows, content } = this.#deps
    if (!content) return
    try {
      rows.together(() => this.#writeSteps(steps, content.writer))
    } catch (error) {
      this.#unwritten(steps, error)
    }
  }

  async recordTogether(steps: Step[]): Promise<void> {
    const { rows, content } = this.#deps
    if (!content) return
    try {
      await rows.durably(() => this.#writeSteps(steps, content.writer))
    } catch (error) {
      this.#unwritten(steps, error)
    }
  }

  async done(): Promise<void> {
    const { id } = this
    if (id === undefined) return
    try {
      await this.#writeDone(id)
    } catch (error) {
      // The change has happened: the disk will say so when there is room again.
      if (!isDatabaseFull(error)) throw error
    }
    this.#open.live.delete(id)
    this.#deps.trash.noteKept()
  }

  #writeSteps(steps: Step[], writer: string): void {
    const first = this.#told.length
    const id = this.id ?? this.#begin(writer)
    for (const [at, step] of steps.entries()) this.#write(id, first + at, step)
    // From here on nobody else settles the entry.
    this.id = id
    this.#open.live.add(id)
    for (const step of steps) this.#told.push({ step, kept: step.kept })
  }

  /** @throws Fault noSpace, where the change may not go on without its entry; other errors */
  #unwritten(steps: Step[], error: unknown): void {
    // What is there is settled; what was taken back was never written.
    if (this.id !== undefined && !this.#deps.rows.isThere(this.id)) {
      this.#open.live.delete(this.id)
      this.id = undefined
    }
    if (!isDatabaseFull(error)) throw error
    if (!this.#open.change.lastResort) {
      throw new Fault('noSpace', 'There is no space left for the journal.', { cause: error })
    }
    this.#told = this.#told.filter(({ step }) => !steps.includes(step))
    for (const step of steps) step.kept = ''
  }

  /** In slices: until the last one the entry is begun, and what is written of it is what happened. */
  async #writeDone(id: number): Promise<void> {
    const { rows } = this.#deps
    const happened = this.#told.filter(({ step }) => step.happened).length
    for (let first = 0; first === 0 || first < this.#told.length; first += SLICE) {
      await rows.lazily(() => {
        const slice = this.#told.slice(first, first + SLICE)
        for (const [at, one] of slice.entries()) this.#writeHappened(id, first + at, one)
        if (first + SLICE >= this.#told.length) this.#finish(id, happened)
      })
    }
  }

  #writeHappened(id: number, number: number, { step, kept: wanted }: Told): void {
    const { rows, kept } = this.#deps
    if (wanted && (!step.happened || step.kept !== wanted)) kept.remove(wanted)
    if (!step.happened) {
      rows.removeStep(id, number)
      return
    }
    rows.putStep(id, number, this.#stored(step))
    if (step.kept && step.kept !== wanted) this.#keep(id, step)
    if (step.kind === 'renamed') this.#versionsFollow(step)
  }

  async failed(): Promise<void> {
    const { id } = this
    const { content } = this.#deps
    if (id === undefined || !content) return
    try {
      await settle(id, this.#deps, content)
    } catch (error) {
      // It stays unfinished, and is settled when there is room again.
      if (!isDatabaseFull(error)) throw error
    } finally {
      this.#open.live.delete(id)
    }
  }

  #begin(writer: string): number {
    const { actor, origin, change, root } = this.#open
    return this.#deps.rows.begin({
      root,
      writer,
      atMs: this.#atMs,
      userId: actor.id,
      username: actor.username,
      session: origin.session,
      client: origin.client,
      jobItem: origin.jobItem ?? 0,
      verb: change.verb,
      path: joinPath(actor.scope, change.path),
      to: change.to === undefined ? '' : joinPath(actor.scope, change.to),
      undoOf: change.undoOf ?? 0,
    })
  }

  #write(id: number, number: number, step: Step): void {
    this.#deps.rows.putStep(id, number, this.#stored(step))
    if (step.kept) this.#keep(id, step)
  }

  #keep(id: number, step: Step): void {
    const { actor, root } = this.#open
    const path = this.#inTree(step.path)
    this.#deps.kept.insert({
      name: step.kept,
      root,
      entry: id,
      atMs: this.#atMs,
      userId: actor.id,
      username: actor.username,
      role: step.role,
      path,
      isFolder: step.isFolder,
      sizeBytes: step.sizeBytes,
      modifiedMs: Math.round(step.modifiedMs),
      shares: step.role === 'trash' ? this.#deps.sharesAt(path) : '',
    })
  }

  #finish(id: number, steps: number): void {
    const { rows } = this.#deps
    if (steps === 0) {
      rows.remove(id)
      this.id = undefined
      return
    }
    this.#open.grown(rows.done(id))
  }

  #versionsFollow({ path, to }: Step): void {
    const { root } = this.#open
    if (to) this.#deps.kept.versionsMoved(root, this.#inTree(path), this.#inTree(to))
  }

  #stored(step: Step): StoredStep {
    const { kind, role, before, after, kept, isFolder } = step
    const to = step.to === undefined ? '' : this.#inTree(step.to)
    return { kind, role, path: this.#inTree(step.path), to, before, after, kept, isFolder }
  }

  /** The kernel's names need no cleaning, and lie as deep as they lie. */
  #inTree(path: TreePath): TreePath {
    const { scope } = this.#open.actor
    return scope === '/' ? path : (`${scope}${path}` as TreePath)
  }
}
