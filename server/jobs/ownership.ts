/**
 * Which process runs a job, when several servers share one database. Requests for a job of another one are stored, and
 * that one carries them out; the jobs of a process that has ended are taken over.
 */
import type { StoredJob } from '#server/db/rows/job-rows.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { JobRequestName } from '#wire/api/jobs.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import type { JobDeps } from './context/deps.ts'
import { isOver } from './present.ts'

/** How long, and how often, it is looked whether another process has carried out a request. */
const ANSWER_WITHIN_MS = 4 * LIMITS.jobsPollMs
const LOOK_EVERY_MS = 100
/** The state of a job after a request. */
const RESULT: Record<JobRequestName, (job: StoredJob) => boolean> = {
  pause: ({ state }) => state === 'paused',
  cancel: isOver,
  resume: ({ state }) => state !== 'paused',
}

export class Ownership {
  readonly #deps: JobDeps
  readonly #root: string
  #takeOverTimer: Timer | undefined
  #requestTimer: Timer | undefined

  /** @param root the path of the served folder on the disk */
  #isPolling = false

  constructor(deps: JobDeps, root: string) {
    this.#deps = deps
    this.#root = root
  }

  /** Calls `takeOver` at intervals until `close`. */
  watch(takeOver: () => Promise<void>): void {
    this.#takeOverTimer = setInterval(() => void takeOver(), SERVER_LIMITS.takeOverEveryMs).unref()
  }

  /**
   * Looks for requests of the command line and of other servers at intervals, while there are unfinished jobs.
   *
   * @param handle carries out the requests, and returns whether there are unfinished jobs
   */
  pollRequests(handle: () => Promise<boolean>): void {
    this.#requestTimer ??= setInterval(() => void this.#poll(handle), LIMITS.jobsPollMs).unref()
  }

  async #poll(handle: () => Promise<boolean>): Promise<void> {
    if (this.#isPolling) return
    this.#isPolling = true
    try {
      if (!(await handle())) this.#stopPolling()
    } finally {
      this.#isPolling = false
    }
  }

  #stopPolling(): void {
    clearInterval(this.#requestTimer)
    this.#requestTimer = undefined
  }

  close(): void {
    clearInterval(this.#takeOverTimer)
    this.#stopPolling()
  }

  /** Whether a process that still runs has the job, and it is not this one. */
  isElsewhere({ writer }: StoredJob): boolean {
    const { trash } = this.#deps.storage.can
    return !!trash && writer !== trash.writer && !trash.isGone(writer)
  }

  /**
   * Stores a request for the process that has the job, and waits a while until it is carried out.
   *
   * @throws Fault conflict (the state of the job does not allow the request)
   */
  async ask(job: StoredJob, request: JobRequestName): Promise<void> {
    if (isOver(job)) throw new Fault('conflict', 'The job has ended.')
    if (request === 'resume' && job.state !== 'paused')
      throw new Fault('conflict', 'The job is not paused.')
    const { rows } = this.#deps
    await rows.request(job.id, request)
    for (let waitedMs = 0; waitedMs < ANSWER_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
      const current = await rows.find(this.#root, job.id)
      if (!current || isOver(current) || RESULT[request](current)) return
      await Bun.sleep(LOOK_EVERY_MS)
    }
  }

  /**
   * Makes this process the owner of the unfinished jobs of processes that have ended.
   *
   * @returns these jobs, without those that another process has taken over since
   */
  async takeAbandoned(): Promise<StoredJob[]> {
    const { rows, storage } = this.#deps
    const { trash } = storage.can
    if (!trash) return []
    const taken: StoredJob[] = []
    for (const job of await rows.unfinished(this.#root)) {
      if (job.writer === trash.writer || !trash.isGone(job.writer)) continue
      if (await rows.setWriter(job.id, trash.writer, job.writer)) taken.push(job)
    }
    return taken
  }

  /**
   * Makes this process the owner of a job that waits again.
   *
   * @throws Fault conflict (another request was first)
   */
  async begin({ id, state }: StoredJob): Promise<void> {
    const { rows, storage } = this.#deps
    if (await rows.begin(id, state, storage.can.trash?.writer)) return
    throw new Fault('conflict', 'Another request has changed the job. Load the list again.')
  }

  /** Reads and deletes the requests for this process. */
  takeRequests(): Promise<{ id: number; request: JobRequestName }[]> {
    const { rows, storage } = this.#deps
    return rows.takeRequests(this.#root, storage.can.trash?.writer ?? '')
  }

  /** Whether another process has taken this job over, because it took this one for ended. */
  async isLost({ id }: StoredJob): Promise<boolean> {
    const writer = (await this.#deps.rows.find(this.#root, id))?.writer
    return writer !== undefined && writer !== this.#deps.storage.can.trash?.writer
  }
}
