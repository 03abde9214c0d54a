/**
 * Runs one change of files: the commands before it, its journal entry, the change, and the commands after it. The
 * storage starts the entry before the first name changes; it is finished when all names have changed.
 */
import type { CommandFolder } from '#server/storage/storage.ts'
import type { EventName } from '#wire/api/events.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Actor } from '../actor.ts'
import type { EventHook } from '../file-events.ts'
import type { Change, Origin, RecordedChange, Recorder } from '../recorder.ts'

/** A change, its event, and whether it can be repeated. */
export interface ChangeRequest extends Change {
  /** The event that commands may be tied to. */
  event: EventName | undefined
  /** Whether the change can be tried again after a failure for lack of space: its source can be read again. */
  isRepeatable: boolean
}

/** The part of the storage's `ChangeOptions` that records the steps of a change. */
export interface RecordOptions {
  keepRemoved: boolean
  record: RecordedChange['record']
  beforeChange: RecordedChange['requireOwn']
  userId: number
}

export interface ChangeRunnerDeps {
  hooks: EventHook
  recorder: Recorder
  origin: Origin
  actor: () => Actor
  /** Reads the rights of the actor again. */
  refresh: () => Promise<void>
  openForCommand: () => Promise<CommandFolder>
}

export class ChangeRunner {
  readonly #deps: ChangeRunnerDeps
  #entries: number[] = []

  constructor(deps: ChangeRunnerDeps) {
    this.#deps = deps
  }

  /** The ids of the journal entries that were written, in order. */
  get entries(): readonly number[] {
    return this.#entries
  }

  /**
   * Runs a change with its commands.
   *
   * @throws what a command throws before the change, or after it; what the change throws
   */
  async run<T>(
    request: ChangeRequest,
    act: (recordOptions: RecordOptions) => Promise<T>,
  ): Promise<T> {
    const { event, path, to } = request
    const change = () => this.#record(request, act)
    return event ? this.hooked(event, path, to, change) : change()
  }

  /**
   * Whether what is deleted at a path goes to the trash.
   *
   * @throws Fault notFound, forbidden
   */
  keeps(path: TreePath): Promise<boolean> {
    const { recorder, actor } = this.#deps
    return recorder.keeps(actor(), path)
  }

  /**
   * Runs part of a change between the commands before and after it.
   *
   * @throws as `run`
   */
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

  /**
   * Runs a part of a change. If there is no space, content of the trash is deleted and the part is tried again.
   *
   * @throws what `act` throws
   */
  async withRoom<T>(path: TreePath, act: () => Promise<T>): Promise<T> {
    const { recorder, actor } = this.#deps
    for (;;) {
      try {
        return await act()
      } catch (error) {
        if (!isFault(error, 'noSpace')) throw error
        if (!(await recorder.makeRoom(actor(), path)))
          throw await recorder.describeFull(error, actor(), path)
      }
    }
  }

  /**
   * Runs a part of a change that needs space on the disk of a path. A refusal for lack of space names that disk.
   *
   * @param path undefined for the served folder itself
   * @throws what `act` throws
   */
  async onDiskOf<T>(path: TreePath | undefined, act: () => Promise<T>): Promise<T> {
    const { recorder, actor } = this.#deps
    try {
      return await act()
    } catch (error) {
      throw isFault(error, 'noSpace') ? await recorder.describeFull(error, actor(), path) : error
    }
  }

  async #record<T>(
    request: ChangeRequest,
    act: (recordOptions: RecordOptions) => Promise<T>,
  ): Promise<T> {
    const { recorder, origin, actor, refresh } = this.#deps
    // After `noSpace`, content of the trash is deleted and the change is tried again. As the last resort a deletion
    // happens without a journal entry.
    for (let isLastResort = false; ; ) {
      const entry = recorder.open(actor(), origin, { ...request, isLastResort })
      try {
        const recordOptions: RecordOptions = {
          keepRemoved: entry.keepRemoved,
          record: async (steps) => {
            await entry.record(steps)
            // The storage looks at the names again, and asks for the rights.
            await refresh()
          },
          beforeChange: () => entry.requireOwn(),
          userId: actor().id,
        }
        const result = await act(recordOptions)
        await entry.done()
        if (entry.id !== undefined) this.#entries.push(entry.id)
        return result
      } catch (error) {
        await entry.failed()
        if (!isFault(error, 'noSpace')) throw error
        const path = request.to ?? request.path
        if (request.isRepeatable && (await recorder.makeRoom(actor(), path))) continue
        if (!request.isRepeatable || isLastResort || request.verb !== 'delete')
          throw await recorder.describeFull(error, actor(), path)
        isLastResort = true
      }
    }
  }
}
