/**
 * Jobs: work on files that is too long to wait for. A job is a row with its items (db/jobs.ts); whoever
 * made it may leave, and a server that is started again goes on with it. So many run at a time, of one person and of
 * all; the others wait, and nobody before others.
 */
import { CONCURRENCY_LIMITS } from '#server/access/concurrency-limits.ts'
import { FairSemaphore } from '#server/access/fair-semaphore.ts'
import type { Origin } from '#server/access/recorder.ts'
import type { Scope } from '#server/access/scope.ts'
import type { StoredItem, StoredJob } from '#server/db/job-rows.ts'
import { randomName } from '#server/db/row-name.ts'
import { Fault } from '#wire/fault.ts'
import type { Job, JobAction, JobPlan } from '#wire/jobs.ts'
import { LIMITS } from '#wire/limits.ts'
import type { TreePath } from '#wire/paths.ts'
import type { JobDeps } from './deps.ts'
import { Leftovers } from './leftovers.ts'
import { JobListeners } from './listeners.ts'
import type { LookedAt } from './looked-at.ts'
import { makePlan, type PlanRequest } from './plan.ts'
import { presentJob, presentListed } from './present.ts'
import { Requests } from './requests.ts'
import { JobRun, type Outcome, type Stop } from './run.ts'
import { yielding } from './yielding.ts'

const COPY_NAME_BYTES = 12

/** Who asks: administrators see and stop everybody's. */
export interface Viewer {
  id: number
  perm: { admin: boolean }
}

export class Jobs {
  readonly #deps: JobDeps
  readonly #root: string
  readonly #semaphore = new FairSemaphore(CONCURRENCY_LIMITS.runningJobs)
  readonly #runs = new Map<number, JobRun>()
  readonly #ends = new Set<Promise<void>>()
  readonly #listeners = new JobListeners()
  readonly #leftovers: Leftovers
  readonly #requests = new Requests(() => this.#doRequested())
  #log: (line: string) => void = () => undefined
  #isClosed = false

  /** @param root the served folder on the disk: names this tree in the database */
  constructor(deps: JobDeps, root: string) {
    this.#deps = deps
    this.#root = root
    this.#leftovers = new Leftovers(deps, root, (line) => this.#log(line))
  }

  /**
   * Goes on with what processes that are gone left, and forgets what is long over.
   *
   * @param log told of unexpected failures
   */
  start(log: (line: string) => void): void {
    this.#log = log
    const { rows, storage } = this.#deps
    const { kept } = storage.can
    this.#leftovers.forget()
    if (!kept) return
    void this.#leftovers.tidy().catch((error) => log(String(error)))
    for (const job of rows.unfinished(this.#root)) {
      if (job.writer !== kept.writer && !kept.isGone(job.writer)) continue
      rows.setWriter(job.id, kept.writer)
      if (job.state !== 'paused') this.#begin(job)
    }
    if (this.#doRequested()) this.#requests.watch()
  }

  /** Stops what runs at the next file; the next start goes on with it. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#requests.end()
    for (const run of this.#runs.values()) run.stop('close')
    await Promise.all(this.#ends)
  }

  /** @throws Fault badRequest, forbidden */
  async plan(scope: Scope, request: PlanRequest): Promise<JobPlan> {
    return (await makePlan(scope, request)).shown
  }

  /**
   * Makes a job of a plan that was confirmed.
   *
   * @returns the plan of this moment where that is another one by now: nothing was made
   * @throws Fault tooMany, unavailable, readOnly, badRequest
   */
  async create(
    scope: Scope,
    { session, client }: Origin,
    request: PlanRequest,
    confirmed: string,
  ): Promise<{ job: Job } | { plan: JobPlan }> {
    const { rows, storage } = this.#deps
    const { kept } = storage.can
    if (!kept) throw new Fault('readOnly', 'This folder can only be read.')
    const { shown, items } = await makePlan(scope, request)
    if (shown.tag !== confirmed) return { plan: shown }
    this.#mustHaveRoom(scope.actor.id)
    const id = rows.insert(
      {
        root: this.#root,
        writer: kept.writer,
        userId: scope.actor.id,
        session,
        client,
        scope: scope.actor.scope,
        kind: request.kind,
        to: request.to ?? '',
        state: 'waiting',
        madeMs: Date.now(),
        isPartial: shown.isPartial,
      },
      items.map(newItem),
    )
    const job = rows.find(this.#root, id)
    if (!job) throw new Fault('internal', 'The job is not there.')
    this.#begin(job)
    return { job: this.#present(job) }
  }

  /** Jobs, newest first: one's own, and everybody's for administrators. */
  async list(viewer: Viewer): Promise<Job[]> {
    const whose = viewer.perm.admin ? undefined : viewer.id
    const { rows } = this.#deps
    const listed: Job[] = []
    for await (const job of yielding(rows.list(this.#root, whose, LIMITS.jobsShown), 1)) {
      listed.push(presentListed(rows, job, this.#runs.get(job.id)?.meter))
    }
    return listed
  }

  /** @throws Fault notFound */
  get(viewer: Viewer, id: number): Job {
    return this.#present(this.#find(viewer, id))
  }

  /**
   * Pauses, resumes or cancels a job; tries items that failed again, or skips them.
   *
   * @param item one item; undefined is all that failed
   * @throws Fault notFound, conflict where that makes no sense any more
   */
  async control(viewer: Viewer, id: number, action: JobAction, item?: number): Promise<Job> {
    const job = this.#find(viewer, id)
    if (action === 'retry' || action === 'skip') this.#settle(job, action, item)
    else if (action === 'resume') this.#resume(job)
    else await this.#stop(job, action)
    this.#listeners.tell(job.userId)
    return this.get(viewer, id)
  }

  /** Forgets a job that is over. @throws Fault notFound, conflict */
  forget(viewer: Viewer, id: number): void {
    const job = this.#find(viewer, id)
    if (!isOver(job)) throw new Fault('conflict', 'The job is not over. Cancel it first.')
    this.#deps.rows.remove(id)
    this.#listeners.tell(job.userId)
  }

  /** Calls `changed` soon after a viewer's jobs change, until it is disposed of. */
  listen(viewer: Viewer, changed: () => void): Disposable {
    return this.#listeners.add(viewer.perm.admin ? undefined : viewer.id, changed)
  }

  #find(viewer: Viewer, id: number): StoredJob {
    const job = this.#deps.rows.find(this.#root, id)
    const isTheirs = job && (viewer.perm.admin || job.userId === viewer.id)
    if (isTheirs) return job
    throw new Fault('notFound', 'There is no such job.')
  }

  #present(job: StoredJob): Job {
    return presentJob(this.#deps.rows, job, this.#runs.get(job.id)?.meter)
  }

  /** @throws Fault tooMany, unavailable */
  #mustHaveRoom(userId: number): void {
    const { own, all, message, retryAfterSec } = CONCURRENCY_LIMITS.jobs
    const count = this.#deps.rows.countUnfinished(this.#root, userId)
    if (count.own >= own) throw new Fault('tooMany', message, { retryAfterSec })
    if (count.all >= all) throw new Fault('unavailable', message, { retryAfterSec })
  }

  #begin(job: StoredJob): void {
    const run = new JobRun({ ...this.#deps, log: this.#log }, job, () =>
      this.#listeners.tell(job.userId),
    )
    this.#runs.set(job.id, run)
    this.#requests.watch()
    const end = this.#work(run).catch((error) => this.#log(String(error)))
    this.#ends.add(end)
    void end.finally(() => this.#ends.delete(end))
  }

  async #work(run: JobRun): Promise<void> {
    const { rows } = this.#deps
    const { id, userId } = run.job
    try {
      using _ = await this.#semaphore.take(userId)
      if (this.#isClosed) return
      if (run.mayBegin) rows.setState(id, 'running')
      this.#listeners.tell(userId)
      await this.#end(run, await run.run())
    } finally {
      this.#runs.delete(id)
      this.#listeners.tell(userId)
    }
  }

  async #end({ job, begun }: JobRun, { state, reason }: Outcome): Promise<void> {
    if (state === 'interrupted') return
    this.#deps.rows.setState(job.id, state, reason)
    if (state !== 'paused') await this.#leftovers.finish(job, state, reason, begun.values())
  }

  /** What the command line asks for, as far as it makes sense by now. @returns whether a job is not over */
  #doRequested(): boolean {
    const { rows } = this.#deps
    for (const { id, request } of rows.takeRequests(this.#root)) {
      const job = rows.find(this.#root, id)
      if (!job) continue
      const act = async () => (request === 'resume' ? this.#resume(job) : this.#stop(job, request))
      void act()
        .catch((error) => this.#log(String(error)))
        .finally(() => this.#listeners.tell(job.userId))
    }
    return rows.unfinished(this.#root).length > 0
  }

  /** @throws Fault conflict */
  async #stop(job: StoredJob, why: Extract<Stop, 'pause' | 'cancel'>): Promise<void> {
    if (isOver(job)) throw new Fault('conflict', 'The job is over.')
    const run = this.#runs.get(job.id)
    if (run) return run.stop(why)
    if (why === 'pause') return this.#deps.rows.setState(job.id, 'paused')
    this.#deps.rows.setState(job.id, 'cancelled')
    await this.#leftovers.finish(job, 'cancelled')
  }

  /** @throws Fault conflict, tooMany, unavailable */
  #resume(job: StoredJob): void {
    if (job.state !== 'paused' || this.#runs.has(job.id)) {
      throw new Fault('conflict', 'The job is not paused.')
    }
    this.#wait(job)
  }

  /** @throws Fault conflict, notFound */
  #settle(job: StoredJob, action: 'retry' | 'skip', id: number | undefined): void {
    const { rows } = this.#deps
    const isStopped = job.state === 'failed' && action === 'retry' && id === undefined
    const failed = rows.items(job.id).filter((item) => item.state === 'failed')
    const wanted = id === undefined ? failed : failed.filter((item) => item.id === id)
    if (wanted.length === 0 && !isStopped) throw new Fault('notFound', 'Nothing of it has failed.')
    if (job.state === 'cancelled') throw new Fault('conflict', 'The job is over.')
    const state = action === 'retry' ? 'waiting' : 'skipped'
    for (const item of wanted) rows.putItem({ ...item, state, fault: '', reason: '' })
    // What failed only because all of it did is over in another way now.
    const isLeft = job.state === 'failed' && job.reason === '' && action === 'skip'
    if (isLeft && !rows.allFailed(job.id)) rows.setState(job.id, 'done', '', job.endedMs)
    if (action === 'retry' && isOver(job)) {
      if (this.#runs.has(job.id)) throw new Fault('conflict', 'The job is just ending.')
      this.#mustHaveRoom(job.userId)
      this.#wait(job)
    }
  }

  #wait(job: StoredJob): void {
    const { rows, storage } = this.#deps
    rows.setState(job.id, 'waiting')
    if (storage.can.kept) rows.setWriter(job.id, storage.can.kept.writer)
    this.#begin({ ...job, state: 'waiting', reason: '', endedMs: 0 })
  }
}

function isOver({ state }: StoredJob): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}

/** What was refused in the plan is there as an item that failed. */
function newItem({ path, part, to, decision, fault, problem, files, bytes }: LookedAt) {
  const isRefused = fault !== ''
  return {
    path: path as TreePath,
    part,
    to: to as StoredItem['to'],
    decision,
    copyName: randomName(COPY_NAME_BYTES),
    state: isRefused ? ('failed' as const) : ('waiting' as const),
    fault,
    reason: problem,
    files,
    bytes,
  }
}
