/** What jobs leave behind: copies that are not whole. A job that is over has an end when nothing of it is left. */
import type { StoredItem, StoredJob } from '#server/db/job-rows.ts'
import { LIMITS } from '#wire/limits.ts'
import { joinPath, ROOT } from '#wire/paths.ts'
import type { JobDeps } from './deps.ts'

const DAY_MS = 24 * 60 * 60_000
/** How long a job is shown after its end. */
const KEEP_MS = 7 * DAY_MS

export class Leftovers {
  readonly #deps: JobDeps
  readonly #root: string
  readonly #log: (line: string) => void

  /** @param log told of unexpected failures */
  constructor(deps: JobDeps, root: string, log: (line: string) => void) {
    this.#deps = deps
    this.#root = root
    this.#log = log
  }

  /** Forgets jobs that are long over. */
  forget(): void {
    this.#deps.rows.forget(this.#root, Date.now() - KEEP_MS, LIMITS.jobsKept)
  }

  /**
   * A job is over.
   *
   * @param more items of which something may be left, though their rows are gone
   */
  async finish(
    job: StoredJob,
    state: StoredJob['state'],
    reason = '',
    more: Iterable<StoredItem> = [],
  ): Promise<void> {
    const { rows } = this.#deps
    const isLeft = (item: StoredItem) => item.state !== 'done' && item.landed !== ''
    for (const item of [...rows.items(job.id).filter(isLeft), ...more]) {
      await this.#removeCopy(job, item)
    }
    // Tried again meanwhile, it is not over.
    if (rows.find(this.#root, job.id)?.state === state) {
      rows.setState(job.id, state, reason, Date.now())
    }
    this.forget()
  }

  /** What a killed server had not cleared away, and what was left of a user who is gone. */
  async tidy(): Promise<void> {
    const { rows, storage } = this.#deps
    for (const job of rows.untidy(this.#root)) await this.finish(job, job.state, job.reason)
    for (const name of (await storage.can.copies?.()) ?? []) {
      if (!rows.knowsCopy(name)) await storage.can.removeCopy?.(name, ROOT)
    }
  }

  async #removeCopy({ scope }: StoredJob, { copyName, to }: StoredItem): Promise<void> {
    const { removeCopy } = this.#deps.storage.can
    if (to === '') return
    await removeCopy?.(copyName, joinPath(scope, to)).catch((error) => this.#log(String(error)))
  }
}
