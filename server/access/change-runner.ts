/**
 * One change of files, whatever the verb: what is tied to it before, the entry in the journal, the change, and what is
 * tied to it after. The entry is begun by the storage right before the first name changes, and done when all have.
 */
import type { CommandFolder } from '#server/storage/storage.ts'
import type { EventName } from '#wire/events.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Actor } from './actor.ts'
import type { EventHook } from './file-events.ts'
import type { Change, Origin, RecordedChange, Recorder } from './recorder.ts'

/** A change that may be asked for, and whether request it twice does it once. */
export interface ChangeRequest extends Change {
  /** What commands may be tied to. */
  event: EventName | undefined
  /** It can be begun again when the disk was full: what it reads is still there. */
  repeats: boolean
}

/** What a storage is told of the change it makes. */
export interface RecordOptions {
  keep: boolean
  record: RecordedChange['record']
  recordTogether: RecordedChange['recordTogether']
}

export interface ChangeRunnerDeps {
  hooks: EventHook
  recorder: Recorder
  origin: Origin
  actor: () => Actor
  openForCommand: () => Promise<CommandFolder>
}

export class ChangeRunner {
  readonly #deps: ChangeRunnerDeps
  #entries: number[] = []

  constructor(deps: ChangeRunnerDeps) {
    this.#deps = deps
  }

  /** The journal's entries of what was done, in their order. */
  get entries(): readonly number[] {
    return this.#entries
  }

  /** @throws what a hook throws before the change, or after it; what the change throws */
  async run<T>(request: ChangeRequest, act: (told: RecordOptions) => Promise<T>): Promise<T> {
    const { event, path, to } = request
    const change = () => this.#record(request, act)
    return event ? this.hooked(event, path, to, change) : change()
  }

  /** A part of a change between what is tied to it before and after. @throws as `run` */
  async hooked<T>(
    event: EventName,
    path: TreePath,
    destination: TreePath | undefined,
    act: () => Promise<T>,
  ): Promise<T> {
    const { hooks, actor, openForCommand } = this.#deps
    const fileEvent = { actor: actor(), path, destination, openForCommand }
    await hooks({ ...fileEvent, hook: `before_${event}` })
    const result = await act()
    await hooks({ ...fileEvent, hook: `after_${event}` })
    return result
  }

  async #record<T>(request: ChangeRequest, act: (told: RecordOptions) => Promise<T>): Promise<T> {
    const { recorder, origin, actor } = this.#deps
    for (let lastResort = false; ; ) {
      const entry = recorder.open(actor(), origin, { ...request, lastResort })
      try {
        const told: RecordOptions = {
          keep: entry.keep,
          record: (steps) => entry.record(steps),
          recordTogether: (steps) => entry.recordTogether(steps),
        }
        const result = await act(told)
        await entry.done()
        if (entry.id !== undefined) this.#entries.push(entry.id)
        return result
      } catch (error) {
        await entry.failed()
        if (!request.repeats || !isFault(error, 'noSpace')) throw error
        if (await recorder.makeRoom(actor(), request.to ?? request.path)) continue
        if (lastResort || request.verb !== 'delete') throw error
        lastResort = true
      }
    }
  }
}
