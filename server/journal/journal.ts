/**
 * The journal of changes: each change of files that goes through a Scope is one entry with the steps that it consists
 * of, and each step has an inverse.
 *
 * The order is always the same, so that a killed server never has a change without its entry, or an entry without its
 * change:
 *
 * 1. The storage tells its steps right before the first name changes. They are written as an entry that is begun, with
 *    what tells later whether they happened: which object (its mark, storage/step.ts) a name has before and after, and
 *    under which name the content that goes is kept. That is forced to the disk, for new content together with the
 *    entries of others (db/commits.ts).
 * 2. The names change, each by one rename. What goes is renamed into the trash, or has a second name there before it is
 *    replaced: it is never copied, and never gone.
 * 3. The entry is done. This is not forced to the disk: what a power failure takes of it is found out again.
 *
 * An entry that was begun and not done, because the change failed or the server was killed, is settled by looking at
 * the disk: steps that did not happen are taken out, and an entry without steps goes.
 *
 * One exception: where the disk has no room even for an entry, and nothing is left in the trash to give way, a removal
 * goes on without one, for ever; otherwise nobody could make room. What commands and other programs change is not here.
 */

import type { Actor } from '#server/access/actor.ts'
import { may } from '#server/access/policy.ts'
import type { Change, Origin, RecordedChange, Recorder } from '#server/access/recorder.ts'
import type { StoredEntry } from '#server/db/journal-rows.ts'
import { isInside, joinPath, type TreePath } from '#wire/paths.ts'
import type { JournalDeps } from './deps.ts'
import { OpenEntry } from './open-entry.ts'
import { settle } from './settle.ts'

export interface JournalOptions {
  /** The served folder on the disk: names this tree in the database. */
  root: string
  /** How long entries are remembered, how many, and how much room they take. */
  keepMs: number
  entriesMax: number
  bytesMax: number
}

/** Steps removed between two turns of the event loop. */
const SLICE = 500
/** The room is looked at when so much of it was written. */
const LOOK_AFTER_SHARE = 1 / 16

export class Journal implements Recorder {
  readonly #deps: JournalDeps
  readonly #options: JournalOptions
  /** Entries of this process that are under way. */
  readonly #live = new Set<number>()
  /** Bytes written since the last look at the room. */
  #grown = 0
  #forgetting: Promise<void> | undefined

  constructor(deps: JournalDeps, options: JournalOptions) {
    this.#deps = deps
    this.#options = options
  }

  get root(): string {
    return this.#options.root
  }

  open(actor: Actor, origin: Origin, change: Change): RecordedChange {
    const grown = (bytes: number) => this.#noteGrown(bytes)
    return new OpenEntry(this.#deps, {
      actor,
      origin,
      change,
      root: this.root,
      live: this.#live,
      grown,
    })
  }

  makeRoom(actor: Actor, path: TreePath): Promise<boolean> {
    return this.#deps.trash.makeRoomAt(joinPath(actor.scope, path))
  }

  /** Settles what processes that are gone left, and what this one could not. */
  async settle(): Promise<void> {
    const { content, rows } = this.#deps
    if (!content) return
    for (const entry of rows.unfinished(this.root)) {
      const isOwn = entry.writer === content.writer
      if (isOwn ? this.#live.has(entry.id) : !content.isGone(entry.writer)) continue
      await settle(entry.id, this.#deps, content)
    }
  }

  /** Forgets what is too old, and too much. */
  forget(): Promise<void> {
    this.#forgetting ??= this.#forget().finally(() => {
      this.#forgetting = undefined
    })
    return this.#forgetting
  }

  async #forget(): Promise<void> {
    const { rows } = this.#deps
    const { keepMs, entriesMax, bytesMax } = this.#options
    this.#grown = 0
    const limits = { olderThanMs: Date.now() - keepMs, keep: entriesMax, bytes: bytesMax }
    for (const id of rows.forget(this.root, limits)) {
      while (!(await rows.lazily(() => rows.removeSome(id, SLICE))));
    }
  }

  #noteGrown(bytes: number): void {
    this.#grown += bytes
    if (this.#grown < this.#options.bytesMax * LOOK_AFTER_SHARE) return
    // What fails is tried again with the next change, and every few minutes.
    this.forget().catch(() => undefined)
  }

  find(id: number): StoredEntry | undefined {
    return this.#deps.rows.find(this.root, id)
  }

  /** An actor's entries, newest first; for administrators everybody's. */
  list(
    actor: Pick<Actor, 'id' | 'perm' | 'scope'>,
    filter: { username?: string; session?: string; fromMs?: number; before?: number },
    limit: number,
  ): StoredEntry[] {
    const all = may(actor, 'administer')
    const userId = all ? undefined : actor.id
    return this.#deps.rows
      .list({ ...filter, root: this.root, userId }, limit)
      .filter(({ path }) => all || isInside(path, actor.scope))
  }
}
