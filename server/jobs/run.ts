/**
 * One job while it runs: its items one after the other, each through a Scope of its user with the rights and rules of
 * that moment. Where an item is, its row and the journal say together:
 *
 * - a change and its entry in the journal, which names the item, are there both or not at all;
 * - so an item that a killed server left is done when it has an entry, and is begun again when it has none. What was
 *   copied of it by then lies out of sight, and is gone on with (storage/resumed-copy.ts).
 *
 * A folder that is merged into another one may be half merged by then: merging it again brings the rest. An extraction
 * is many changes: it is done when its row says so.
 */
import type { Scope } from '#server/access/scope.ts'
import type { ScopeOwner } from '#server/access/scopes.ts'
import type { StoredItem, StoredJob } from '#server/db/job-rows.ts'
import { Fault, isFault } from '#wire/fault.ts'
import type { JobKind } from '#wire/jobs.ts'
import { parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import type { Action } from '#wire/permissions.ts'
import { makeArchive } from './archive.ts'
import type { JobDeps } from './deps.ts'
import { extract } from './extract.ts'
import { Meter } from './meter.ts'
import { verifySums, writeSums } from './sums.ts'
import { transfer } from './transfer.ts'
import type { Doing, Work } from './work.ts'

interface RunDeps extends JobDeps {
  /** Told of unexpected failures. */
  log(line: string): void
}

/** Why a run ends before its job does. */
export type Stop = 'pause' | 'cancel' | 'close'

export interface Outcome {
  state: 'done' | 'paused' | 'failed' | 'cancelled' | 'interrupted'
  reason: string
}

/** Which right each kind asks for. */
const ACTION: Record<JobKind, Action> = {
  copy: 'copy',
  move: 'rename',
  delete: 'delete',
  extract: 'create',
  archive: 'create',
  sums: 'create',
  verify: 'download',
}
const DOING: Record<JobKind, Doing> = {
  copy: transfer,
  move: transfer,
  delete: transfer,
  extract,
  archive: makeArchive,
  sums: writeSums,
  verify: verifySums,
}
/** They read content into a place of their own. */
const READING: readonly JobKind[] = ['extract', 'archive', 'sums', 'verify']
/** How often the rights and rules of whoever started it are read again. */
const ASK_EVERY_MS = 1000
/** An item of them is one change. */
const ONE_CHANGE: readonly JobKind[] = ['copy', 'move', 'delete', 'archive', 'sums']

export class JobRun {
  readonly job: StoredJob
  readonly meter = new Meter()
  readonly #deps: RunDeps
  readonly #changed: () => void
  /** Items of which something may be copied, and which are not done. */
  readonly begun = new Map<number, StoredItem>()
  #stop: Stop | undefined

  /** @param changed called when there is something new to show */
  constructor(deps: RunDeps, job: StoredJob, changed: () => void) {
    this.#deps = deps
    this.job = job
    this.#changed = changed
  }

  /** Ends the run soon: between two files, or two parts of a large one. */
  stop(why: Stop): void {
    this.#stop ??= why
  }

  /** Nobody has stopped it while it waited. */
  get mayBegin(): boolean {
    return this.#stop === undefined
  }

  async run(): Promise<Outcome> {
    const { rows } = this.#deps
    try {
      for (let item = rows.nextItem(this.job.id); item; item = rows.nextItem(this.job.id)) {
        if (this.#stop) break
        await this.#item(item)
        this.#changed()
      }
    } catch (error) {
      if (!this.#stop) return endOf(error)
    }
    if (this.#stop === 'close') return { state: 'interrupted', reason: '' }
    if (this.#stop === 'pause') return { state: 'paused', reason: '' }
    if (this.#stop === 'cancel') return { state: 'cancelled', reason: '' }
    return { state: this.#deps.rows.allFailed(this.job.id) ? 'failed' : 'done', reason: '' }
  }

  /** @throws what ends the job: its user may not go on, the disk is full, the job is gone */
  async #item(item: StoredItem): Promise<void> {
    const { rows, entryOf, note } = this.#deps
    this.meter.begin()
    const scope = this.#scope(item)
    const isOne = ONE_CHANGE.includes(this.job.kind)
    const entry = isOne ? entryOf(item.id) : 0
    if (entry !== 0 && !(item.merges && (await isThere(scope, item.path)))) {
      return this.#put({ ...item, state: 'done', entry })
    }
    const begun: StoredItem = {
      ...item,
      state: 'running',
      merges: isOne && (await merges(scope, item)),
    }
    if (isOne && item.decision === 'skip' && item.to !== '' && (await isThere(scope, item.to))) {
      return rows.putItem({ ...item, state: 'skipped' })
    }
    rows.putItem(begun)
    this.begun.set(item.id, begun)
    try {
      begun.landed = await DOING[this.job.kind](scope, begun, this.#work(scope))
      Object.assign(begun, { state: 'done', entry: scope.entries.at(-1) ?? entry })
      this.#put(begun)
      this.begun.delete(item.id)
      note(this.job, begun)
    } catch (error) {
      this.#failed(scope, begun, error)
    }
  }

  /** @throws what ends the job */
  #failed(scope: Scope, item: StoredItem, error: unknown): void {
    const { rows, note, log } = this.#deps
    if (this.#stop) throw error
    if (!(error instanceof Fault) || error.code === 'internal') log(String(error))
    const fault = error instanceof Fault ? error : new Fault('internal', 'The server failed.')
    if (endsJob(fault) || this.#mayNotGoOn(scope)) {
      rows.putItem({ ...item, state: 'waiting' })
      throw fault
    }
    const { current } = this.meter
    const where = current === '' || current === item.path ? '' : `${current}: `
    const failed = { ...item, fault: fault.code, reason: where + fault.message }
    this.#put({ ...failed, state: 'failed' })
    note(this.job, failed)
  }

  /** All things of an archive are made, or fail, together. */
  #put(item: StoredItem): void {
    const { rows } = this.#deps
    rows.putItem(item)
    if (this.job.kind === 'archive') rows.putOthers(item)
  }

  /** The right itself is gone, and not only that to one thing. */
  #mayNotGoOn(scope: Scope): boolean {
    try {
      this.#mustStill(scope)
      return false
    } catch {
      return true
    }
  }

  /** Rules that came meanwhile hold for what is read from here on. @throws Fault unauthenticated, forbidden */
  #mustStill(scope: Scope): void {
    const { kind } = this.job
    scope.mustStill(ACTION[kind], ROOT)
    if (READING.includes(kind)) scope.mustStill('download', ROOT)
  }

  #scope(item: StoredItem): Scope {
    const { session, client } = this.job
    const present = () => this.#user()
    return this.#deps.scopeOf(present(), present, { session, client, jobItem: item.id })
  }

  /** @throws Fault unauthenticated, forbidden */
  #user(): ScopeOwner {
    const user = this.#deps.userOf(this.job.userId)
    if (!user) throw new Fault('unauthenticated', 'The user is not there any more.')
    if (parsePath(user.scope) !== this.job.scope) {
      throw new Fault('forbidden', 'The folder of the user is another one now.')
    }
    return user
  }

  #work(scope: Scope): Work {
    const { rows } = this.#deps
    let askedMs = Date.now()
    return {
      job: this.job,
      meter: this.meter,
      put: (item) => rows.putItem(item),
      all: () => rows.items(this.job.id).filter(({ state }) => state !== 'skipped'),
      putParts: (item, parts) => rows.putParts(item, parts),
      madeBy: (item) => rows.madeBy(item.id),
      goOn: () => {
        if (this.#stop) throw new Fault('aborted', 'The job was stopped.')
        if (Date.now() - askedMs < ASK_EVERY_MS) return
        askedMs = Date.now()
        this.#mustStill(scope)
      },
      changed: this.#changed,
      endsJob: (fault) => endsJob(fault) || this.#mayNotGoOn(scope),
    }
  }
}

/** What no item can help, and the next one would meet, too. */
function endsJob(fault: Fault): boolean {
  return isFault(fault, 'unauthenticated', 'noSpace', 'readOnly', 'unavailable')
}

/** A job whose user may not go on has failed; one that waits for room waits for somebody. */
function endOf(error: unknown): Outcome {
  if (!(error instanceof Fault)) return { state: 'failed', reason: 'The server failed.' }
  const waits = isFault(error, 'noSpace', 'readOnly', 'unavailable')
  return { state: waits ? 'paused' : 'failed', reason: error.message }
}

async function merges(scope: Scope, { path, to, decision }: StoredItem): Promise<boolean> {
  if (to === '' || decision !== 'replace') return false
  const isFolder = async (at: TreePath) =>
    scope.stat(at).then(
      ({ kind }) => kind === 'folder',
      () => false,
    )
  return (await isFolder(path)) && (await isFolder(to))
}

async function isThere(scope: Scope, path: TreePath): Promise<boolean> {
  return scope.stat(path).then(
    () => true,
    () => false,
  )
}
