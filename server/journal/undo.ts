/** Taking entries of the journal back, and bringing things of the trash back: with the rights of today. */

import type { Ahead } from '#server/access/inversion.ts'
import type { KeptThing, PastStep } from '#server/access/kept-thing.ts'
import { mayManage } from '#server/access/policy.ts'
import type { Scope } from '#server/access/scope.ts'
import type { JournalRows } from '#server/db/journal.ts'
import type { StoredEntry } from '#server/db/journal-rows.ts'
import type { KeptRows, StoredKept } from '#server/db/kept.ts'
import { Fault } from '#wire/fault.ts'
import { isInside, parentPath, ROOT, relativePath, type TreePath } from '#wire/paths.ts'
import type { Trash } from './trash.ts'

/** Rows read between two turns of the event loop, however few of them are wanted. */
const PAGE = 1000
/** Folders asked about between two turns. */
const ASKED_AT_ONCE = 64

export interface UndoDeps {
  /** The served folder on the disk. */
  root: string
  rows: JournalRows
  kept: KeptRows
  trash: Trash
}

/** What happened to one entry of several. */
export interface Outcome {
  entry: StoredEntry
  /** Why it is not undone; undefined when it is, or would be. */
  problem: Fault | undefined
}

export class Undo {
  readonly #deps: UndoDeps

  constructor(deps: UndoDeps) {
    this.#deps = deps
  }

  /**
   * Takes an entry back.
   *
   * @returns the number of the entry that does it
   * @throws Fault notFound, forbidden (somebody else's, or a right is missing), conflict (undone already), precondition
   *   (something has changed since), expired (content is not kept)
   */
  async undo(scope: Scope, id: number): Promise<number> {
    const entry = this.#entry(scope, id)
    if (entry.undoneBy !== 0) throw new Fault('conflict', 'This change is undone already.')
    return this.#invert(scope, entry, entry.verb === 'undo' ? 'redo' : 'undo')
  }

  /** Does again what was undone. @throws as `undo`; conflict when it is not undone */
  async redo(scope: Scope, id: number): Promise<number> {
    const entry = this.#entry(scope, id)
    if (entry.undoneBy === 0) throw new Fault('conflict', 'This change is not undone.')
    return this.undo(scope, entry.undoneBy)
  }

  /**
   * Takes many entries back, the newest first.
   *
   * @param dry only says what would happen
   */
  async undoAll(scope: Scope, entries: readonly StoredEntry[], dry: boolean): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    const ahead = dry ? new Map() : undefined
    for (const entry of entries) {
      if (entry.undoneBy !== 0 || entry.verb === 'undo') continue
      outcomes.push({ entry, problem: await this.#tryOne(scope, entry, ahead) })
    }
    return outcomes
  }

  /** @throws Fault notFound */
  thing(scope: Scope, kept: StoredKept | undefined): KeptThing {
    if (!kept || !isVisible(scope, kept)) throw notThere()
    const path = relativePath(kept.path, scope.actor.scope)
    const { name, isFolder, shares } = kept
    return { name, path, isFolder, shares }
  }

  /** Something in the trash. @throws Fault notFound */
  trashed(scope: Scope, id: number): KeptThing {
    const kept = this.#deps.kept.find(this.#deps.root, id)
    return this.thing(scope, kept?.role === 'trash' ? kept : undefined)
  }

  /** Gives something of the trash its name again, or another one. @throws as `ScopeTrash.restore` */
  async restore(
    scope: Scope,
    id: number,
    to: TreePath | undefined,
    how: { parents: boolean },
  ): Promise<void> {
    const thing = this.trashed(scope, id)
    await scope.trash?.restore(thing, to ?? thing.path, how)
    const { root, kept } = this.#deps
    if (to !== undefined && to !== thing.path) {
      const [from, now] = [inTree(thing.path, scope.actor.scope), inTree(to, scope.actor.scope)]
      kept.versionsMoved(root, from, now, id)
    }
    kept.remove(thing.name)
  }

  /** Puts a version in the place of its file. @throws as `ScopeTrash.restoreVersion` */
  async restoreVersion(scope: Scope, id: number, path: TreePath): Promise<void> {
    const thing = this.version(scope, id, path)
    await scope.trash?.restoreVersion(thing)
    this.#deps.kept.remove(thing.name)
  }

  /** A version of a file. @throws Fault notFound */
  version(scope: Scope, id: number, path: TreePath): KeptThing {
    const { root, kept } = this.#deps
    const all = kept.listVersions(root, inTree(path, scope.actor.scope))
    return this.thing(
      scope,
      all.find((version) => version.id === id),
    )
  }

  /** What an actor sees of the trash, newest first. @param before older than the one of this number */
  async list(scope: Scope, before: number, limit: number): Promise<StoredKept[]> {
    const { root, kept } = this.#deps
    const found: StoredKept[] = []
    for (let next = before; found.length < limit; ) {
      const page = kept.listTrash(root, scope.actor.scope, next, PAGE)
      for (const item of page) {
        const isSeen = scope.trash?.sees(relativePath(item.path, scope.actor.scope))
        if (isSeen && found.length < limit) found.push(item)
      }
      if (page.length < PAGE) break
      next = page.at(-1)?.id ?? 0
      await new Promise(setImmediate)
    }
    return found
  }

  /** Earlier contents of a file, newest first. @throws Fault forbidden, notFound */
  async versions(scope: Scope, path: TreePath): Promise<StoredKept[]> {
    const { real } = await scope.stat(path)
    const { root, kept } = this.#deps
    const all = kept.listVersions(root, inTree(real, scope.actor.scope))
    return all.filter((version) => isVisible(scope, version))
  }

  /** All of the trash that an actor may delete for ever. */
  async purgeable(scope: Scope): Promise<StoredKept[]> {
    const all = await this.list(scope, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    return all.filter(({ userId }) => mayManage(scope.actor, userId))
  }

  /**
   * Removes something of the trash for ever: what one has deleted oneself, and as an administrator anything.
   *
   * @throws Fault notFound, forbidden
   */
  async purge(scope: Scope, id: number): Promise<void> {
    const kept = this.#deps.kept.find(this.#deps.root, id)
    const thing = this.thing(scope, kept)
    if (!mayManage(scope.actor, kept?.userId)) {
      throw new Fault('forbidden', 'Only who deleted it, or an administrator, deletes it for ever.')
    }
    await scope.trash?.discard(thing)
    this.#deps.kept.remove(thing.name)
    if (kept?.role === 'trash') await this.#deps.trash.discardVersions(kept)
  }

  /** @param ahead what was taken back before, where that is only looked at */
  async #tryOne(
    scope: Scope,
    entry: StoredEntry,
    ahead: Ahead | undefined,
  ): Promise<Fault | undefined> {
    try {
      if (ahead) await scope.trash?.check(await this.#steps(scope, entry), ahead)
      else await this.undo(scope, entry.id)
      return undefined
    } catch (error) {
      if (error instanceof Fault && error.code !== 'internal') return error
      throw error
    }
  }

  async #invert(scope: Scope, entry: StoredEntry, verb: 'undo' | 'redo'): Promise<number> {
    const steps = await this.#steps(scope, entry)
    await this.#refuseTouched(entry, steps, scope.actor.scope)
    if (!scope.trash) throw new Fault('unsupported', 'Nothing is kept here.')
    await scope.trash.invert(steps, { of: entry.id, verb })
    for (const { kept } of steps) if (kept) this.#deps.kept.remove(kept)
    return scope.entries.at(-1) ?? 0
  }

  /** A folder that came to be, and that others have worked in since, does not go. @throws Fault precondition */
  async #refuseTouched(
    entry: StoredEntry,
    steps: readonly PastStep[],
    scope: TreePath,
  ): Promise<void> {
    const { root, rows } = this.#deps
    const made = new Set(
      steps.flatMap(({ kind, role, path, isFolder }) =>
        kind === 'made' && isFolder && role !== 'part' ? path : [],
      ),
    )
    for (const [at, path] of [...made].entries()) {
      // Whoever asks about a folder asks about all that is in it.
      if (hasAbove(made, path)) continue
      if (at % ASKED_AT_ONCE === 0) await new Promise(setImmediate)
      if (!rows.wasTouchedAfter(entry.id, root, inTree(path, scope))) continue
      throw new Fault('precondition', 'Something in this folder has changed since.')
    }
  }

  /** @throws Fault notFound, forbidden */
  #entry(scope: Scope, id: number): StoredEntry {
    const entry = this.#deps.rows.find(this.#deps.root, id)
    if (!entry) throw new Fault('notFound', `There is no entry ${id} in the journal.`)
    if (!mayManage(scope.actor, entry.userId)) {
      throw new Fault('forbidden', 'This change is somebody else’s.')
    }
    return entry
  }

  /** The steps in the terms of the scope. @throws Fault forbidden for what lies outside of it */
  async #steps({ actor }: Scope, entry: StoredEntry): Promise<PastStep[]> {
    const own = (path: TreePath) => {
      if (isInside(path, actor.scope)) return relativePath(path, actor.scope)
      throw new Fault('forbidden', 'This change lies outside of your folder.')
    }
    const past: PastStep[] = []
    for (const [at, { step }] of this.#deps.rows.stepsOf(entry.id).entries()) {
      if (at % PAGE === 0) await new Promise(setImmediate)
      const { path, to, kept, ...same } = step
      // Content that the trash has given up is not asked for.
      const held = kept === '' ? undefined : this.#deps.kept.findByName(kept)
      past.push({
        ...same,
        path: own(path),
        ...(to === '' ? {} : { to: own(to) }),
        kept: held?.name ?? '',
        shares: held?.shares ?? '',
      })
    }
    return past
  }
}

/** Whether the actor may see where something kept was, and where a version is by now. */
function isVisible({ actor, trash }: Scope, { path, originalPath }: StoredKept): boolean {
  return [path, originalPath].every(
    (at) => isInside(at, actor.scope) && trash?.sees(relativePath(at, actor.scope)) === true,
  )
}

function inTree(path: TreePath, scope: TreePath): TreePath {
  if (scope === ROOT) return path
  return (path === ROOT ? scope : `${scope}${path}`) as TreePath
}

/** Whether one of these folders lies above a path. */
function hasAbove(folders: ReadonlySet<TreePath>, path: TreePath): boolean {
  for (let at = path; at !== ROOT; ) {
    at = parentPath(at)
    if (folders.has(at)) return true
  }
  return false
}

function notThere(): Fault {
  return new Fault('notFound', 'This is not in the trash.')
}
