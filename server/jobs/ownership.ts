/**
 * Which process runs a job, when several servers share one database. Requests for a job of another one are stored, and
 * that one carries them out; the jobs of a process that has ended are taken over.
 */
import type { StoredJob } from '#server/db/rows/job-rows.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { JobRequestName } from '#wire/api/jobs.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { joinPath } from '#wire/paths.ts'
import type { JobDeps } from './context/deps.ts'
import { newCopyName } from './plans/plan-entry.ts'
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
  async isElsewhere({ writer }: StoredJob): Promise<boolean> {
    const { peers } = this.#deps
    return writer !== peers.writer && !(await peers.isGone(writer))
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
    const { rows, peers, storage } = this.#deps
    if (!storage.can.trash) return []
    const taken: StoredJob[] = []
    for (const job of await rows.unfinished(this.#root)) {
      if (job.writer === peers.writer || (await this.isElsewhere(job))) continue
      const own = await this.#take(job)
      if (own) taken.push(own)
    }
    return taken
  }

  /**
   * Makes this process the owner of a job that no process runs.
   *
   * @throws Fault conflict (another one was first, or has to find out first what the job has changed)
   */
  async own(job: StoredJob): Promise<StoredJob> {
    const own = job.writer === this.#deps.peers.writer ? job : await this.#take(job)
    if (own) return own
    throw new Fault('conflict', 'The job is being taken over. Try again in a moment.')
  }

  /** @returns undefined if another process was first */
  async #take(job: StoredJob): Promise<StoredJob | undefined> {
    const { rows, peers } = this.#deps
    const to = peers.writer
    if (!(await rows.claim(job.id, { from: job.writer, to }))) return undefined
    // What a process has open that may wake up is not used again.
    if (peers.mayWake(job.writer)) await this.#renewCopies(job)
    return { ...job, writer: to }
  }

  async #renewCopies({ id, scope }: StoredJob): Promise<void> {
    const { rows, storage } = this.#deps
    for (const { copyName, to } of await rows.renameCopies(id, newCopyName)) {
      // What cannot be removed now is removed by a later start.
      if (to !== '') await storage.can.removeCopy?.(copyName, joinPath(scope, to)).catch(() => {})
    }
  }

  /**
   * Makes this process the owner of a job that waits again.
   *
   * @returns the job with this owner
   * @throws Fault conflict (another request was first)
   */
  async begin(job: StoredJob): Promise<StoredJob> {
    const { rows, peers } = this.#deps
    const { writer } = peers
    if (await rows.begin(job.id, job.state, writer)) return { ...job, writer }
    throw new Fault('conflict', 'Another request has changed the job. Load the list again.')
  }

  /** Reads and deletes the requests for this process. */
  takeRequests(): Promise<{ id: number; request: JobRequestName }[]> {
    const { rows, peers } = this.#deps
    return rows.takeRequests(this.#root, peers.writer)
  }
}
