/**
 * Collects the entries of an archive, or the lines of a checksum list, that failed. Each becomes an item of the job,
 * up to a limit.
 */
import type { NewItem, StoredItem } from '#server/db/rows/job-rows.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { Fault, faultHeader } from '#wire/fault.ts'

export class FailedParts {
  readonly #item: StoredItem
  readonly items: NewItem[] = []
  /** The length of all names and messages. */
  #characters = 0

  /** @param item the whole archive or checksum list */
  constructor(item: StoredItem) {
    this.#item = item
  }

  /** @throws Fault tooLarge if the limit is exceeded */
  add(part: string, fault: Fault): void {
    const { message } = fault
    const { path, decision, copyName } = this.#item
    const common = { path, to: '', decision, copyName, files: 0, bytes: 0 } as const
    this.items.push({
      ...common,
      part,
      state: 'failed',
      fault: faultHeader(fault),
      reason: message,
    })
    this.#characters += part.length + message.length
    const limit = SERVER_LIMITS.partsFailedMax
    if (this.items.length > limit) throw new Fault('tooLarge', `More than ${limit} entries failed.`)
    if (this.#characters > SERVER_LIMITS.partsFailedMaxChars) {
      throw new Fault(
        'tooLarge',
        'Too many entries with long names failed, so that they cannot be listed.',
      )
    }
  }

  /**
   * @param summary the sentence with which the message begins
   * @throws Fault unprocessable if something failed and nothing was done
   */
  throwIfNoneSucceeded(done: number, summary: string): void {
    const [first] = this.items
    if (done > 0 || !first) return
    throw new Fault('unprocessable', `${summary} ${first.part}: ${first.reason}`)
  }
}
