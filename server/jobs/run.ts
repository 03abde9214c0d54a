/**
 * Runs one job: its items one after the other, each through a Scope with the rights and rules that its user has at
 * that moment. The item's row and the journal together hold its state:
 *
 * - A change and its journal entry, which names the item, are committed together.
 * - After a crash, an item that has an entry is done. An item without one is started again; a partial copy of it is
 *   in the private folder and is continued (storage/local/copy/resumed-copy.ts).
 *
 * A merge of two folders that was interrupted is repeated for the remaining files. An extraction is many changes, so
 * only its row says whether it is done.
 */
import type { Scope } from '#server/access/scope/scope.ts'
import type { ScopeOwner } from '#server/access/scope/scopes.ts'
import { NO_FAILURE, type StoredItem, type StoredJob } from '#server/db/rows/job-rows.ts'
import { isDatabaseSilent } from '#server/db/silence.ts'
import type { JobKind } from '#wire/api/jobs.ts'
import { describeCauses, Fault, isFault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import type { PolicyAction } from '#wire/permissions.ts'
import type { JobDeps } from './context/deps.ts'
import type { ItemHandler, JobContext } from './context/job-context.ts'
import { JobMeter } from './context/meter.ts'
import { makeArchive } from './kinds/archive.ts'
import { extractItem } from './kinds/extract.ts'
import { importItem } from './kinds/import.ts'
import { exists, mergesFolders } from './kinds/merge.ts'
import { verifyChecksums, writeChecksums } from './kinds/sums.ts'
import { transferItem } from './kinds/transfer.ts'
import { endOf, endsJob, failureOf, faultOf, type RunResult } from './run-result.ts'

interface RunDeps extends JobDeps {
  /** Receives unexpected failures. */
  log(line: string): void
  /** How long a turn lasts while jobs of other users wait. */
  turnMs: number
  /** After this time a job that cannot stop gives up its permit. */
  releaseAfterMs: number
  /** Whether jobs of other users wait for a permit. */
  othersWait(): boolean
}

export type TurnTimes = Pick<RunDeps, 'turnMs' | 'releaseAfterMs'>

/**
 * Gives up the permit of a job that cannot stop, so that another one can start.
 * @returns whether the permit is given up
 */
export type ReleaseEarly = () => boolean

/** Why a run ends before its job does; `turn`: other jobs wait, and it continues after them. */
export type Stop = 'pause' | 'cancel' | 'close' | 'turn'

/** The right that each kind of job needs. */
const REQUIRED_RIGHT: Record<JobKind, PolicyAction> = {
  copy: 'copy',
  move: 'rename',
  delete: 'delete',
  extract: 'create',
  archive: 'create',
  sums: 'create',
  verify: 'download',
  import: 'create',
}
const HANDLERS: Record<JobKind, ItemHandler> = {
  copy: transferItem,
  move: transferItem,
  delete: transferItem,
  extract: extractItem,
  archive: makeArchive,
  sums: writeChecksums,
  verify: verifyChecksums,
  import: importItem,
}
/** Kinds that read the content of files and also need the right to download. */
const NEED_DOWNLOAD: readonly JobKind[] = ['extract', 'archive', 'sums', 'verify']
/** How often the user's rights and rules are read again. */
const RECHECK_MS = 1000
/** For these kinds an item is a single change in the journal. */
const SINGLE_CHANGE: readonly JobKind[] = ['copy', 'move', 'delete', 'archive', 'sums', 'import']

export class JobRun {
  readonly job: StoredJob
  readonly meter = new JobMeter()
  readonly #deps: RunDeps
  readonly #changed: () => void
  /** Item id → unfinished item, which may have a partial copy. */
  readonly unfinished = new Map<number, StoredItem>()
  #stop: Stop | undefined
  /** When the first new work of this turn was done; the time of the turn counts from then. */
  #turnBeganMs: number | undefined
  /** When this turn began. */
  #startedMs = 0
  #releaseEarly: ReleaseEarly = () => false
  #hasReleasedEarly = false
  #comparedHashes = new Map<string, string>()
  readonly #stopping = new AbortController()
  /** Aborted when the job is stopped, which ends any wait. */
  readonly stopped = this.#stopping.signal

  /** @param changed called when the progress or state changes */
  constructor(deps: RunDeps, job: StoredJob, changed: () => void) {
    this.#deps = deps
    this.job = job
    this.#changed = changed
  }

  /** Ends the run soon, also within a file; for `turn` only where no work has to be repeated. */
  stop(reason: Stop): void {
    if (this.#stop === undefined || this.#stop === 'turn') this.#stop = reason
    if (reason !== 'turn') this.#stopping.abort()
  }

  /** What a user has asked for; the job may not have it yet. */
  get asked(): 'pause' | 'cancel' | undefined {
    return this.#stop === 'pause' || this.#stop === 'cancel' ? this.#stop : undefined
  }

  /** Whether another process has the job now. */
  async isLost(): Promise<boolean> {
    const { rows, peers } = this.#deps
    if (!peers.holds(this.job.writer)) return true
    const writer = (await rows.find(this.job.root, this.job.id))?.writer
    return writer !== undefined && writer !== this.job.writer
  }

  /** Ends the run: another server has the job now, or may have it, because this one did not respond. */
  lose(): void {
    if (this.#stop === 'close') return
    this.stop('close')
    this.#deps.log(
      `This server did not respond for a while, so job ${this.job.id} is continued by another one, or later by this one.`,
    )
  }

  /** False if the job was stopped while it waited. */
  get canStart(): boolean {
    return this.#stop === undefined || this.#stop === 'turn'
  }

  /** @throws errors of a database that does not answer; the job is as it was stored */
  async run(releaseEarly: ReleaseEarly): Promise<RunResult> {
    const { rows } = this.#deps
    this.#beginTurn(releaseEarly)
    try {
      for (
        let item = await rows.nextItem(this.job.id);
        item;
        item = await rows.nextItem(this.job.id)
      ) {
        if (!this.#deps.peers.holds(this.job.writer)) this.lose()
        if (this.#stop) break
        await this.#item(item)
        this.#changed()
        this.#endTurnIfOthersWait()
      }
    } catch (error) {
      if (!this.#deps.peers.holds(this.job.writer)) this.lose()
      if (!this.#stop) {
        // What the database has of the job decides where the next run begins.
        if (isDatabaseSilent(error)) throw error
        this.#logUnexpected(error)
        return endOf(error)
      }
    }
    const hasMoreItems = (await rows.nextItem(this.job.id)) !== undefined
    if (this.#stop === 'turn' && hasMoreItems) return { state: 'waiting', failure: NO_FAILURE }
    if (this.#stop === 'close') return { state: 'interrupted', failure: NO_FAILURE }
    if (this.#stop === 'pause') return { state: 'paused', failure: NO_FAILURE }
    if (this.#stop === 'cancel') return { state: 'cancelled', failure: NO_FAILURE }
    const state = (await this.#deps.rows.allFailed(this.job.id)) ? 'failed' : 'done'
    return { state, failure: NO_FAILURE }
  }

  /** @throws Fault that ends the job: a right is lost, the disk is full, the job was deleted */
  async #item(item: StoredItem): Promise<void> {
    const { journalEntryOf, audit } = this.#deps
    this.meter.begin()
    const scope = await this.#scope(item)
    const isSingle = SINGLE_CHANGE.includes(this.job.kind)
    const entry = isSingle ? await journalEntryOf(item.id) : 0
    if (entry !== 0 && !(item.mergesFolders && (await exists(scope, item.path)))) {
      return this.#saveItem({ ...item, state: 'done', entry })
    }
    const running: StoredItem = {
      ...item,
      state: 'running',
      mergesFolders: isSingle && (await mergesFolders(scope, item)),
    }
    if (isSingle && item.decision === 'skip' && item.to !== '' && (await exists(scope, item.to))) {
      return this.#write({ ...item, state: 'skipped' })
    }
    await this.#write(running)
    this.unfinished.set(item.id, running)
    try {
      running.resultPath = await HANDLERS[this.job.kind](scope, running, this.#context(scope))
      this.#comparedHashes.clear()
      Object.assign(running, { state: 'done', entry: scope.entries.at(-1) ?? entry })
      await this.#saveItem(running)
      this.unfinished.delete(item.id)
      audit(this.job, running)
    } catch (error) {
      await this.#failed(scope, running, error)
    }
  }

  /** Records the failure of an item. @throws Fault that ends the job */
  async #failed(scope: Scope, item: StoredItem, error: unknown): Promise<void> {
    const { audit } = this.#deps
    if (this.#stop || isDatabaseSilent(error)) throw error
    this.#logUnexpected(error)
    const fault = faultOf(error)
    if (endsJob(fault) || (await this.#hasLostRight(scope))) {
      await this.#write({ ...item, state: 'waiting' })
      throw fault
    }
    const { current } = this.meter
    const failedPath = current === item.path ? '' : current
    const failed = { ...item, ...failureOf(fault), failedPath }
    await this.#saveItem({ ...failed, state: 'failed' })
    audit(this.job, failed)
  }

  #logUnexpected(error: unknown): void {
    if (!isFault(error) || error.code === 'internal') this.#deps.log(describeCauses(error))
  }

  #beginTurn(releaseEarly: ReleaseEarly): void {
    if (this.#stop === 'turn') this.#stop = undefined
    this.#turnBeganMs = undefined
    this.#startedMs = performance.now()
    this.#releaseEarly = releaseEarly
    this.#hasReleasedEarly = false
  }

  /** The time counts from the first finished work: to skip the files of an earlier run costs no time of the turn. */
  #endTurnIfOthersWait(): void {
    const { turnMs, othersWait } = this.#deps
    if (this.#hasReleasedEarly) return
    if (this.#turnBeganMs === undefined) this.#turnBeganMs = performance.now()
    else if (performance.now() - this.#turnBeganMs >= turnMs && othersWait()) this.stop('turn')
  }

  /** A large file, an archive or a checksum would start again after a stop, so other jobs run beside it instead. */
  #releaseEarlyIfOthersWait(): void {
    const { releaseAfterMs, othersWait } = this.#deps
    if (this.#hasReleasedEarly || performance.now() - this.#startedMs < releaseAfterMs) return
    if (othersWait()) this.#hasReleasedEarly = this.#releaseEarly()
  }

  /** The items of an archive are done, or fail, together. */
  async #saveItem(item: StoredItem): Promise<void> {
    const { rows } = this.#deps
    await this.#write(item)
    if (this.job.kind === 'archive' && item.part === '')
      await rows.saveOtherItems(item, this.job.writer)
    // The rows count it from now on.
    this.meter.begin()
  }

  /** @throws Fault aborted if another process has the job now */
  async #write(item: StoredItem): Promise<void> {
    if (await this.#deps.rows.saveItem(item, this.job.writer)) return
    // The row of a deleted user's job is gone. That is found out when the user's rights are read.
    if (!(await this.isLost())) return
    this.lose()
    throw stopped()
  }

  /** Whether the right itself is lost, not only the access to one path. */
  async #hasLostRight(scope: Scope): Promise<boolean> {
    try {
      await this.#requireRight(scope)
      return false
    } catch {
      return true
    }
  }

  /**
   * Reads the user's rights and rules again; they apply to everything that is read after this call.
   * @throws Fault unauthenticated, forbidden
   */
  async #requireRight(scope: Scope): Promise<void> {
    const { kind } = this.job
    await scope.recheck(REQUIRED_RIGHT[kind])
    if (NEED_DOWNLOAD.includes(kind)) await scope.recheck('download')
  }

  async #scope(item: StoredItem): Promise<Scope> {
    const { session, client, writer } = this.job
    const currentUser = () => this.#user()
    return this.#deps.scopeOf(await currentUser(), currentUser, {
      session,
      client,
      jobItem: item.id,
      writer,
    })
  }

  /** @throws Fault unauthenticated (the user was deleted), forbidden (the home folder has changed) */
  async #user(): Promise<ScopeOwner> {
    const user = await this.#deps.userOf(this.job.userId)
    if (!user) throw new Fault('unauthenticated', 'The user who created the job was deleted.')
    if (parsePath(user.scope) !== this.job.scope) {
      throw new Fault('forbidden', 'The home folder of the user has changed.')
    }
    return user
  }

  #context(scope: Scope): JobContext {
    const { rows } = this.#deps
    let checkedMs = Date.now()
    /** Why the job may not continue, as far as it is known. */
    let lost: { cause: unknown } | undefined
    const checkRight = () => {
      if (Date.now() - checkedMs < RECHECK_MS) return
      checkedMs = Date.now()
      this.#requireRight(scope).catch((cause: unknown) => {
        lost = { cause }
      })
    }
    return {
      job: this.job,
      imports: this.#deps.imports,
      meter: this.meter,
      saveItem: (item) => this.#write(item),
      items: async () => (await rows.items(this.job.id)).filter(({ state }) => state !== 'skipped'),
      replaceParts: (item, parts) => rows.replaceParts(item, parts, this.job.writer),
      createdBy: (item) => rows.createdBy(item.id),
      comparedHashes: this.#comparedHashes,
      stopped: this.stopped,
      throwIfPreempted: () => {
        this.#endTurnIfOthersWait()
        if (this.#stop) throw stopped()
      },
      throwIfStopped: () => {
        if (!this.#deps.peers.holds(this.job.writer)) this.lose()
        if (this.#stop && this.#stop !== 'turn') throw stopped()
        this.#releaseEarlyIfOthersWait()
        if (lost) throw lost.cause
        checkRight()
      },
      reportProgress: this.#changed,
      endsJob: async (fault) => endsJob(fault) || (await this.#hasLostRight(scope)),
    }
  }
}

function stopped(): Fault {
  return new Fault('aborted', 'The job was stopped.')
}
