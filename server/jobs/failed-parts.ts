/** Entries of an archive, or lines of a list, that failed: each is an item of the job, so many and no more. */
import type { NewItem, StoredItem } from '#server/db/job-rows.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'

export class FailedParts {
  readonly #whole: StoredItem
  readonly items: NewItem[] = []
  #characters = 0

  constructor(whole: StoredItem) {
    this.#whole = whole
  }

  /** @throws Fault tooLarge beyond the limit */
  add(part: string, { code, message }: Fault): void {
    const { path, decision, copyName } = this.#whole
    const same = { path, to: '', decision, copyName, files: 0, bytes: 0 } as const
    this.items.push({ ...same, part, state: 'failed', fault: code, reason: message })
    this.#characters += part.length + message.length
    const most = LIMITS.partsFailedMax
    if (this.items.length > most) throw new Fault('tooLarge', `More than ${most} entries failed.`)
    if (this.#characters > LIMITS.partsFailedMaxChars) {
      throw new Fault('tooLarge', 'The names of the entries that failed are too long to be listed.')
    }
  }

  /**
   * @param what came to nothing, as a sentence
   * @throws Fault unprocessable where something failed, and nothing was done
   */
  mustHaveDone(done: number, what: string): void {
    const [first] = this.items
    if (done > 0 || !first) return
    throw new Fault('unprocessable', `${what} ${first.part}: ${first.reason}`)
  }
}
