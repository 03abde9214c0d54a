/**
 * Jobs: operations on files that take too long for one request. A job and its items are rows in the database
 * (db/rows/jobs.ts), so that a job continues after a restart. A limit says how many run at a time.
 */
import type { Actor } from '#server/access/actor.ts'
import { may, mayManage } from '#server/access/policy.ts'
import type { Origin } from '#server/access/recorder.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import { NO_FAILURE, type StoredJob } from '#server/db/rows/job-rows.ts'
import { isDatabaseSilent } from '#server/db/silence.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { Limiter } from '#server/limits/limiter.ts'
import type { Job, JobAction, JobPlan } from '#wire/api/jobs.ts'
import { describeCauses, Fault } from '#wire/fault.ts'
import type { JobDeps } from './context/deps.ts'
import { Leftovers } from './kinds/leftovers.ts'
import { JobListeners } from './listeners.ts'
import { Ownership } from './ownership.ts'
import { makePlan } from './plans/plan.ts'
import { newItem } from './plans/plan-entry.ts'
import { requireImportAllowed } from './plans/plan-import.ts'
import type { PlanRequest } from './plans/plan-request.ts'
import { isOver, presentJob, presentList } from './present.ts'
import { JobRun, type Stop, type TurnTimes } from './run.ts'
import type { RunResult } from './run-result.ts'

/** The user who asks. Administrators see and control the jobs of all users. */
export type JobViewer = Pick<Actor, 'id' | 'perm'>

export class Jobs {
  readonly #deps: JobDeps
  readonly #root: string
  readonly #times: TurnTimes
  readonly #atOnce = new Limiter(CONCURRENCY_LIMITS.runningJobs)
  /** Job id → its run, while it runs or waits for its turn. */
  readonly #runs = new Map<number, JobRun>()
  /** Resolves when the run has ended. */
  readonly #running = new Map<JobRun, Promise<void>>()
  /** Jobs of this process whose run has ended because the database did not answer, each with what its user had asked for. */
  readonly #interrupted = new Map<number, JobRun['asked']>()
  readonly #listeners: JobListeners
  readonly #leftovers: Leftovers
  readonly #ownership: Ownership
  #log = (_line: string): void => undefined
  #isClosed = false

  /**
   * @param root the path of the served folder on the disk; the database may hold jobs of several
   * @param options.turnMs how long a job runs while jobs of other users wait
   * @param options.releaseAfterMs after how long a job that cannot stop gives up its permit
   */
  constructor(deps: JobDeps, root: string, options: Partial<TurnTimes> = {}) {
    this.#deps = deps
    this.#times = {
      turnMs: SERVER_LIMITS.jobTurnMs,
      releaseAfterMs: SERVER_LIMITS.jobReleasePermitMs,
      ...options,
    }
    this.#root = root
    this.#listeners = new JobListeners(
      async () => (await deps.watch?.changedUsers(root)) ?? [],
      deps.tellOthers,
    )
    this.#leftovers = new Leftovers(deps, root, (line) => this.#log(line))
    this.#ownership = new Ownership(deps, root)
  }

  /**
   * Continues the jobs of processes that have ended, now and later, and deletes old ones.
   * @param log receives unexpected failures
   */
  async start(log: (line: string) => void): Promise<void> {
    this.#log = log
    await this.#leftovers.deleteOldJobs()
    if (!this.#deps.storage.can.trash) return
    void this.#leftovers.removeUnfinishedCopies().catch((error) => log(describeCauses(error)))
    await this.#launchAbandoned()
    this.#ownership.watch(() => this.#takeOver().catch((error) => log(describeCauses(error))))
  }

  /** Stops running jobs, also within a file. The next start continues them. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#ownership.close()
    for (const run of this.#runs.values()) run.stop('close')
    await Promise.all(this.#running.values())
  }

  /** @throws Fault forbidden (imports are off, or not from this host), and as `makePlan` */
  async plan(scope: Scope, request: PlanRequest): Promise<JobPlan> {
    requireImportAllowed(request, this.#deps.imports)
    return (await makePlan(scope, request)).plan
  }

  /**
   * Creates a job from a plan that the user has confirmed.
   * @returns the job; or the new plan, and no job, if the plan has changed since
   * @throws Fault tooMany (this user has too many unfinished jobs), unavailable (all users have), readOnly, and as `plan`
   */
  async create(
    scope: Scope,
    { session, client }: Origin,
    request: PlanRequest,
    confirmed: string,
  ): Promise<{ job: Job } | { plan: JobPlan }> {
    const { rows, storage, peers } = this.#deps
    if (!storage.can.trash) throw new Fault('readOnly', 'This folder can only be read.')
    requireImportAllowed(request, this.#deps.imports)
    const { plan, items } = await makePlan(scope, request)
    if (plan.tag !== confirmed) return { plan }
    const id = await rows.insert(
      {
        root: this.#root,
        writer: peers.writer,
        userId: scope.actor.id,
        session,
        client,
        scope: scope.actor.scope,
        kind: request.kind,
        to: request.to ?? '',
        source: request.source ?? request.encoding ?? '',
        state: 'waiting',
        madeMs: Date.now(),
        isPartial: plan.isPartial,
      },
      items.map(newItem),
      () => this.#refuseTooMany(scope.actor.id),
    )
    const job = await rows.find(this.#root, id)
    if (!job) throw new Fault('internal', 'The job was not found after it was created.')
    this.#launch(job)
    return { job: await this.#present(job) }
  }

  /** @returns the newest `SERVER_LIMITS.jobsShown` jobs of the user, newest first; for administrators those of all users */
  async list(viewer: JobViewer): Promise<Job[]> {
    const { rows } = this.#deps
    const userId = may(viewer, 'administer') ? undefined : viewer.id
    const jobs = await rows.list(this.#root, userId, SERVER_LIMITS.jobsShown)
    return presentList(rows, jobs, (id) => this.#runs.get(id)?.meter)
  }

  /** @throws Fault notFound */
  async get(viewer: JobViewer, id: number): Promise<Job> {
    return this.#present(await this.#find(viewer, id))
  }

  /**
   * Pauses, resumes or cancels a job; retries or skips failed items.
   * @param item the id of one item; undefined means all that failed
   * @throws Fault notFound, conflict (the state of the job does not allow the action); a retry also tooMany and unavailable, as `create`
   */
  async control(viewer: JobViewer, id: number, action: JobAction, item?: number): Promise<Job> {
    const job = await this.#find(viewer, id)
    if (action === 'retry' || action === 'skip') await this.#retryOrSkip(job, action, item)
    else if (await this.#ownership.isElsewhere(job)) await this.#ownership.ask(job, action)
    else if (action === 'resume') await this.#resume(job)
    else await this.#stop(job, action)
    this.#listeners.notify(job.userId)
    return this.get(viewer, id)
  }

  /**
   * Deletes a job that has ended from the list.
   * @throws Fault notFound, conflict (the job has not ended)
   */
  async forget(viewer: JobViewer, id: number): Promise<void> {
    const job = await this.#find(viewer, id)
    if (!isOver(job)) throw new Fault('conflict', 'The job has not ended. Cancel it first.')
    await this.#deps.rows.remove(id)
    this.#listeners.notify(job.userId)
  }

  /** Calls `changed` soon after the viewer's jobs change, until the result is disposed of. */
  listen(viewer: JobViewer, changed: () => void): Disposable {
    return this.#listeners.add(may(viewer, 'administer') ? undefined : viewer.id, changed)
  }

  /** Looks for changes of other servers at once, and not only with the next regular look. */
  lookForChanges(): void {
    this.#listeners.look()
  }

  async #takeOver(): Promise<void> {
    await this.#deps.takeOver?.()
    if (this.#isClosed) return
    await this.#launchAbandoned()
    await this.#continueInterrupted()
    await this.#finishEnded()
  }

  async #launchAbandoned(): Promise<void> {
    const continued = (await this.#ownership.takeAbandoned()).filter(
      ({ state }) => state !== 'paused',
    )
    for (const job of continued) {
      // It may have a run here that began before this server had lost its lease.
      const earlier = this.#runs.get(job.id)
      if (earlier) await this.#running.get(earlier)
      this.#launch(job)
    }
    this.#deps.recovered?.add('jobs', continued.length)
    if (await this.#handleRequests()) this.#ownership.pollRequests(() => this.#handleRequests())
  }

  async #continueInterrupted(): Promise<void> {
    for (const [id, asked] of this.#interrupted) {
      const job = await this.#deps.rows.find(this.#root, id)
      this.#interrupted.delete(id)
      const isOwn = job?.writer === this.#deps.peers.writer && !this.#runs.has(id)
      if (!job || !isOwn || isOver(job) || job.state === 'paused') continue
      if (asked) await this.#stop(job, asked)
      else this.#launch(job)
    }
  }

  /** Sets the end time of jobs whose process has ended before, or was not answered by the database. */
  async #finishEnded(): Promise<void> {
    for (const job of await this.#deps.rows.listWithLeftovers(this.#root)) {
      if (this.#runs.has(job.id) || (await this.#ownership.isElsewhere(job))) continue
      await this.#leftovers.finish(job, job.state, job)
    }
  }

  async #find(viewer: JobViewer, id: number): Promise<StoredJob> {
    const job = await this.#deps.rows.find(this.#root, id)
    if (job && mayManage(viewer, job.userId)) return job
    throw new Fault('notFound', 'There is no such job.')
  }

  #present(job: StoredJob): Promise<Job> {
    return presentJob(this.#deps.rows, job, this.#runs.get(job.id)?.meter)
  }

  #launch(job: StoredJob): void {
    const deps = {
      ...this.#deps,
      log: this.#log,
      ...this.#times,
      othersWait: () => this.#atOnce.othersWait(job.userId),
    }
    const run = new JobRun(deps, job, () => this.#listeners.notify(job.userId))
    this.#runs.set(job.id, run)
    this.#ownership.pollRequests(() => this.#handleRequests())
    const end = this.#runUntilOver(run).catch((error) => this.#log(describeCauses(error)))
    this.#running.set(run, end)
    void end.finally(() => this.#running.delete(run))
  }

  async #runUntilOver(run: JobRun): Promise<void> {
    const { id, userId } = run.job
    try {
      while (await this.#runTurn(run)) this.#listeners.notify(userId)
    } catch (error) {
      if (isDatabaseSilent(error)) this.#interrupted.set(id, run.asked)
      throw error
    } finally {
      if (this.#runs.get(id) === run) this.#runs.delete(id)
      this.#listeners.notify(userId)
    }
  }

  /**
   * Runs a job until it or its turn ends.
   * @returns whether it waits for another turn
   */
  async #runTurn(run: JobRun): Promise<boolean> {
    const { id, userId, writer } = run.job
    using permit = await this.#atOnce.wait(userId, run.stopped)
    if (this.#isClosed) return false
    if (permit && run.canStart) {
      const isOwn = await this.#deps.rows.setState(id, 'running', NO_FAILURE, 0, writer)
      if (!isOwn && (await run.isLost())) run.lose()
    }
    this.#listeners.notify(userId)
    const outcome = await run.run(permit?.releaseEarly ?? (() => false))
    await this.#end(run, outcome)
    return outcome.state === 'waiting'
  }

  async #end(run: JobRun, { state, failure }: RunResult): Promise<void> {
    const { job, unfinished } = run
    if (state === 'interrupted') return
    const isOwn = await this.#deps.rows.setState(job.id, state, failure, 0, job.writer)
    if (state === 'paused' || state === 'waiting') return
    if (!isOwn && (await run.isLost())) return
    await this.#leftovers.finish(job, state, failure, unfinished.values())
  }

  /**
   * Carries out requests of the command line and of other servers. Requests that no longer fit the job's state are
   * logged.
   * @returns whether there are unfinished jobs
   */
  async #handleRequests(): Promise<boolean> {
    const { rows } = this.#deps
    for (const run of this.#runs.values()) if (await run.isLost()) run.lose()
    for (const { id, request } of await this.#ownership.takeRequests()) {
      const job = await rows.find(this.#root, id)
      if (!job) continue
      const act = async () => (request === 'resume' ? this.#resume(job) : this.#stop(job, request))
      void act()
        .catch((error) => this.#log(describeCauses(error)))
        .finally(() => this.#listeners.notify(job.userId))
    }
    return (await rows.unfinished(this.#root)).length > 0
  }

  async #stop(job: StoredJob, reason: Extract<Stop, 'pause' | 'cancel'>): Promise<void> {
    if (isOver(job)) throw new Fault('conflict', 'The job has ended.')
    const run = this.#runs.get(job.id)
    if (run) {
      run.stop(reason)
      // A waiting job ends at once. Otherwise the run stops soon, also within a file.
      if (job.state === 'waiting') await this.#running.get(run)
      return
    }
    const own = await this.#ownership.own(job)
    const state = reason === 'pause' ? 'paused' : 'cancelled'
    await this.#deps.rows.setState(own.id, state, NO_FAILURE, 0, own.writer)
    if (state === 'cancelled') await this.#leftovers.finish(own, state)
  }

  async #resume(job: StoredJob): Promise<void> {
    if (job.state !== 'paused') throw new Fault('conflict', 'The job is not paused.')
    // Its row says so before its run has ended.
    const run = this.#runs.get(job.id)
    if (run) await this.#running.get(run)
    await this.#enqueue(job)
  }

  /** @param id one item; undefined means all that failed */
  async #retryOrSkip(
    job: StoredJob,
    action: 'retry' | 'skip',
    id: number | undefined,
  ): Promise<void> {
    const { rows } = this.#deps
    const mustRun = action === 'retry' && isOver(job)
    const isStopped = job.state === 'failed' && action === 'retry' && id === undefined
    const failed = (await rows.items(job.id)).filter((item) => item.state === 'failed')
    const selected = id === undefined ? failed : failed.filter((item) => item.id === id)
    if (selected.length === 0 && !isStopped)
      throw new Fault('notFound', 'The job has no failed items.')
    if (job.state === 'cancelled') throw new Fault('conflict', 'The job has ended.')
    if (mustRun) await this.#requireStart(job)
    const state = action === 'retry' ? 'waiting' : 'skipped'
    for (const item of selected)
      await rows.saveItem({ ...item, state, ...NO_FAILURE, failedPath: '' })
    // A job that failed only because all its items failed is done once they are skipped.
    const mayBeDone = job.state === 'failed' && job.reason === '' && action === 'skip'
    if (mayBeDone && !(await rows.allFailed(job.id)))
      await rows.setState(job.id, 'done', NO_FAILURE, job.endedMs)
    if (mustRun) await this.#enqueue(job)
  }

  /** @throws Fault conflict, and as `#refuseTooMany`, if a job that has ended may not run again */
  async #requireStart(job: StoredJob): Promise<void> {
    const run = this.#runs.get(job.id)
    if (run && job.endedMs === 0)
      throw new Fault('conflict', 'The job is ending. Try again in a moment.')
    if (run) await this.#running.get(run)
    await this.#refuseTooMany(job.userId)
  }

  /** @throws Fault tooMany (this user has too many unfinished jobs), unavailable (all users have) */
  async #refuseTooMany(userId: number): Promise<void> {
    const { perKey, all, message, retryAfterSec } = CONCURRENCY_LIMITS.jobs
    const count = await this.#deps.rows.countUnfinished(this.#root, userId)
    if (count.ofUser >= perKey) throw new Fault('tooMany', message, { retryAfterSec })
    if (count.all >= all) throw new Fault('unavailable', message, { retryAfterSec })
  }

  async #enqueue(job: StoredJob): Promise<void> {
    const own = await this.#ownership.begin(job)
    this.#launch({ ...own, state: 'waiting', ...NO_FAILURE, endedMs: 0 })
  }
}
