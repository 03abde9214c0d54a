/**
 * The journal of file changes. Each change that goes through a Scope is one entry with steps, and each step has an
 * inverse.
 *
 * The order of writes is fixed, so that after a crash no change lacks its entry and no entry lacks its change:
 *
 * 1. Before the first name changes, the storage reports its steps. They are written as an unfinished entry,
 * with the data that later tells whether they happened: the mark (storage/step.ts) of each name's object before and
 * after, and the name in the trash of the removed content. The entry is flushed to the disk together with the entries of
 * others (db/commits.ts).
 * 2. The storage looks at the names again. If they are the same, they change, each by one rename. Removed content is renamed into the trash. Replaced content gets a second
 * name there first. Nothing is copied.
 * 3. The entry is marked as finished. This is not flushed: after a power failure, recovery finds the state again.
 *
 * Recovery (recover-entry.ts) compares each unfinished entry with the disk: steps that did not happen are deleted from it,
 * and an entry without steps is deleted. A change that failed deletes the steps first that it knows not to have made. An undo whose folder is not there waits for it.
 *
 * One exception: if the disk has no room for an entry, and the trash is empty, a removal runs without an entry and
 * cannot be undone. Otherwise users could not free space. Changes by commands and other programs are not in the journal.
 */

import type { Actor } from '#server/access/actor.ts'
import { may } from '#server/access/policy.ts'
import type { Change, Origin, RecordedChange, Recorder } from '#server/access/recorder.ts'
import { UNLIMITED } from '#server/db/database.ts'
import type { EntryFilter } from '#server/db/rows/journal.ts'
import type { StoredEntry } from '#server/db/rows/journal-rows.ts'
import type { OwnTrash } from '#wire/api/entry.ts'
import type { Fault } from '#wire/fault.ts'
import { isInside, joinPath, ROOT, relativePath, type TreePath } from '#wire/paths.ts'
import type { JournalDeps } from './deps.ts'
import { OpenEntry } from './open-entry.ts'
import { recoverEntry } from './recover-entry.ts'

export interface JournalOptions {
  /** The path of the served folder on the disk; the database may hold journals of several. */
  root: string
  /** The limits of the journal: age in milliseconds, number of entries, and bytes. */
  keepMs: number
  entriesMax: number
  bytesMax: number
  /** The time for the age of entries; the time of day by default. */
  nowMs?(): number
}

/** Other events are handled after so many deleted steps. */
const YIELD_EVERY = 500
/** Other events are handled after so many entries that are compared with the ones before. */
const JOIN_AT_ONCE = 1000
/** The size is checked when so much of the allowed size was written. */
const CHECK_AFTER_FRACTION = 1 / 16

export class Journal implements Recorder {
  readonly #deps: JournalDeps
  readonly #options: JournalOptions
  /** Entries of this process whose change is still running. */
  readonly #inProgress = new Set<number>()
  /** Entries that the last recovery could not decide. */
  readonly #undecided = new Set<number>()
  /** Bytes written since the last check of the size. */
  #bytesSinceCheck = 0
  #deletion: Promise<void> | undefined
  #recovery: Promise<unknown> = Promise.resolve()

  constructor(deps: JournalDeps, options: JournalOptions) {
    this.#deps = deps
    this.#options = options
  }

  get root(): string {
    return this.#options.root
  }

  open(actor: Actor, origin: Origin, change: Change): RecordedChange {
    const onWritten = (bytes: number) => this.#addWritten(bytes)
    return new OpenEntry(this.#deps, {
      actor,
      origin,
      change,
      root: this.root,
      inProgress: this.#inProgress,
      onWritten,
    })
  }

  keeps(actor: Actor, path: TreePath): Promise<boolean> {
    return this.#deps.trash.canKeep(joinPath(actor.scope, path))
  }

  makeRoom(actor: Actor, path: TreePath): Promise<boolean> {
    return this.#deps.trash.room.makeRoomAt(joinPath(actor.scope, path), actor.id)
  }

  describeFull(fault: Fault, actor: Actor, path: TreePath | undefined): Promise<Fault> {
    const { room } = this.#deps.trash
    const inTree = path === undefined ? ROOT : joinPath(actor.scope, path)
    return room.describeFull(fault, inTree, actor.id, (disk) =>
      disk !== actor.scope && isInside(disk, actor.scope)
        ? relativePath(disk, actor.scope)
        : undefined,
    )
  }

  /**
   * What the trash of a disk holds of an actor's deletions.
   *
   * @param path what is on the disk, in the actor's scope
   * @throws Fault notFound, forbidden, unavailable
   */
  ownTrash(actor: Actor, path: TreePath): Promise<OwnTrash> {
    return this.#deps.trash.room.ownAt(joinPath(actor.scope, path), actor.id)
  }

  /**
   * Recovers the entries of processes that have ended, and those that this process could not finish.
   *
   * @returns the undos that stay unfinished, because their folder or file system is not there
   */
  recover(): Promise<StoredEntry[]> {
    const recovered = this.#recovery.then(() => this.#recoverAll())
    this.#recovery = recovered.catch(() => undefined)
    return recovered
  }

  /**
   * Recovers the entries that this process could not finish, because the database did not answer.
   *
   * @param options.ofOthers also those of processes that have ended since this one started. Each entry goes to one of the
   *   processes that share the database
   * @returns whether there were any
   */
  async takeOver({ ofOthers }: { ofOthers: boolean }): Promise<boolean> {
    const { store, rows, peers } = this.#deps
    if (!store) return false
    let hasTaken = false
    for (const entry of await rows.unfinished(this.root)) {
      const { id } = entry
      const isOwn = entry.writer === peers.writer
      const isLeft = !this.#inProgress.has(id) && !this.#undecided.has(id)
      if (isOwn ? isLeft : ofOthers && (await this.#claim(entry))) hasTaken = true
    }
    if (hasTaken) await this.recover()
    return hasTaken
  }

  /**
   * Makes an unfinished entry of a process that has ended one of this process.
   *
   * @returns its writer; undefined if it is that of another process
   */
  async #claim({ id, writer }: StoredEntry): Promise<string | undefined> {
    const { rows, peers } = this.#deps
    const own = peers.writer
    if (writer === own) return own
    if (!(await peers.isGone(writer))) return undefined
    return (await rows.changeWriter(id, { from: writer, to: own })) ? own : undefined
  }

  async #recoverAll(): Promise<StoredEntry[]> {
    const { store } = this.#deps
    if (!store) return []
    const { keepMs, nowMs = Date.now } = this.#options
    const waitsFromMs = nowMs() - keepMs
    this.#undecided.clear()
    for (const abandoned of await this.#abandoned()) {
      const writer = await this.#claim(abandoned)
      if (writer === undefined) continue
      const entry = { ...abandoned, writer }
      const mayWait = entry.undoOf !== 0 && entry.atMs > waitsFromMs
      const outcome = await recoverEntry(entry, this.#deps, store, { mayWait })
      if (outcome === 'open') this.#undecided.add(entry.id)
      else this.#deps.recovered?.(outcome)
    }
    return (await this.#abandoned()).filter(({ undoOf }) => undoOf !== 0)
  }

  /** Unfinished entries whose change does not run any more. */
  async #abandoned(): Promise<StoredEntry[]> {
    const { rows, peers } = this.#deps
    // A change may begin or end while the rows are read; it finishes its entry itself.
    const before = new Set(this.#inProgress)
    const isRunning = (id: number) => before.has(id) || this.#inProgress.has(id)
    const abandoned: StoredEntry[] = []
    for (const entry of await rows.unfinished(this.root)) {
      const isOwn = entry.writer === peers.writer
      if (isOwn ? !isRunning(entry.id) : await peers.isGone(entry.writer)) abandoned.push(entry)
    }
    return abandoned
  }

  /** Deletes entries beyond the limits of age, number and size. */
  deleteOldEntries(): Promise<void> {
    this.#deletion ??= this.#deleteOld().finally(() => {
      this.#deletion = undefined
    })
    return this.#deletion
  }

  async #deleteOld(): Promise<void> {
    const { rows } = this.#deps
    const { keepMs, entriesMax, bytesMax, nowMs = Date.now } = this.#options
    this.#bytesSinceCheck = 0
    const limits = { beforeMs: nowMs() - keepMs, countMax: entriesMax, bytes: bytesMax }
    while (await rows.joined.joinSome(this.root, limits, JOIN_AT_ONCE));
    for (const id of await rows.lazily(() => rows.markDeleted(this.root, limits))) {
      while (!(await rows.lazily(() => rows.removeSome(id, YIELD_EVERY))));
    }
  }

  #addWritten(bytes: number): void {
    this.#bytesSinceCheck += bytes
    if (this.#bytesSinceCheck < this.#options.bytesMax * CHECK_AFTER_FRACTION) return
    // A failure is retried after the next change, and every few minutes.
    this.deleteOldEntries().catch(() => undefined)
  }

  find(id: number): Promise<StoredEntry | undefined> {
    return this.#deps.rows.find(this.root, id)
  }

  /** As `list`, without a limit: only entries that are in effect, and no undos. */
  inEffect(
    actor: Pick<Actor, 'id' | 'perm' | 'scope'>,
    filter: { username?: string; session?: string; fromMs?: number },
  ): Promise<StoredEntry[]> {
    return this.list(actor, { ...filter, isInEffect: true }, UNLIMITED)
  }

  /**
   * @returns the actor's entries, newest first; for administrators the entries of all users. Of the newest `limit`
   *   entries those with a path outside the scope are left out.
   */
  async list(
    actor: Pick<Actor, 'id' | 'perm' | 'scope'>,
    filter: Pick<EntryFilter, 'username' | 'session' | 'fromMs' | 'before' | 'isInEffect'>,
    limit: number,
  ): Promise<StoredEntry[]> {
    const isAdministrator = may(actor, 'administer')
    const userId = isAdministrator ? undefined : actor.id
    return (await this.#deps.rows.list({ ...filter, root: this.root, userId }, limit)).filter(
      ({ path }) => isAdministrator || isInside(path, actor.scope),
    )
  }
}
