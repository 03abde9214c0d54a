/**
 * Removes incomplete copies that jobs have left, and deletes old jobs. The end time of a job is set after its copies
 * are removed.
 */
import { NO_FAILURE, type StoredItem, type StoredJob } from '#server/db/rows/job-rows.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { joinPath, ROOT, type TreePath } from '#wire/paths.ts'
import { DAY_MS } from '#wire/units.ts'
import type { JobDeps } from '../context/deps.ts'

/** How long a job is listed after its end. */
const SHOWN_MS = 7 * DAY_MS

export class Leftovers {
  readonly #deps: JobDeps
  readonly #root: string
  readonly #log: (line: string) => void

  /** @param log receives unexpected failures */
  constructor(deps: JobDeps, root: string, log: (line: string) => void) {
    this.#deps = deps
    this.#root = root
    this.#log = log
  }

  /** Deletes jobs that ended long ago, and the oldest ended ones of a user who has more than `SERVER_LIMITS.jobsKept` jobs. */
  async deleteOldJobs(): Promise<void> {
    await this.#deps.rows.deleteOld(this.#root, Date.now() - SHOWN_MS, SERVER_LIMITS.jobsKept)
  }

  /**
   * Removes the copies of a job that has ended, and sets its end time.
   *
   * @param unlisted further items that may have a copy, although their rows are deleted
   */
  async finish(
    job: StoredJob,
    state: StoredJob['state'],
    failure = NO_FAILURE,
    unlisted: Iterable<StoredItem> = [],
  ): Promise<void> {
    const { rows, storage } = this.#deps
    // A server that was killed right after an item was published has not removed the folder of its copy.
    const copyNames = new Set(await storage.can.copies?.())
    const mayHaveCopy = (item: StoredItem) =>
      copyNames.has(item.copyName) || (item.state !== 'done' && item.resultPath !== '')
    const current = () => rows.find(this.#root, job.id)
    for (const item of [...(await rows.items(job.id)).filter(mayHaveCopy), ...unlisted]) {
      // The job was retried in the meantime: the copies are needed again. Those of a deleted job are not.
      if (((await current())?.state ?? state) !== state) return
      await this.#removeCopy(job.scope, item)
    }
    if ((await current())?.state === state)
      await rows.setState(job.id, state, failure, Date.now(), job.writer)
    await this.deleteOldJobs()
  }

  /** Finishes what a killed server could not, and removes copies of users that were deleted. */
  async removeUnfinishedCopies(): Promise<void> {
    const { rows, storage, peers } = this.#deps
    for (const job of await rows.listWithLeftovers(this.#root))
      await this.finish(job, job.state, job)
    // Another process may have copies that are in another database.
    if (peers.hasForeign() || !(await peers.isMaintainer())) return
    for (const name of (await storage.can.copies?.()) ?? []) {
      if (!(await rows.hasCopy(name))) await this.#removeCopy(ROOT, { copyName: name, to: ROOT })
    }
  }

  /** Removes a copy; a failure is logged. */
  async #removeCopy(
    scope: TreePath,
    { copyName, to }: Pick<StoredItem, 'copyName' | 'to'>,
  ): Promise<void> {
    const { removeCopy } = this.#deps.storage.can
    if (to === '') return
    await removeCopy?.(copyName, joinPath(scope, to)).catch((error) => this.#log(String(error)))
  }
}
