/** Moves and copies many entries after all collisions are decided (docs/decisions.md 16). */

import * as api from '#ui/api/files/resources.ts'
import { t } from '#ui/i18n/i18n.ts'
import { type FolderNames, NO_NAMES, namesIn } from '#ui/lib/entries/folder-names.ts'
import { filesUrl, goTo } from '#ui/lib/page/location.ts'
import { groupChanges, reportChanges } from '#ui/state/changes/undo.ts'
import { ask, type Conflict, type ConflictChoice } from '#ui/state/dialogs/prompts.ts'
import { noteDestination } from '#ui/state/folder/destinations.ts'
import { lastMove } from '#ui/state/folder/last-move.ts'
import { listing, preselect, reloadListing } from '#ui/state/folder/listing.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { session } from '#ui/state/session/session.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { Decision as JobDecision, JobRequest } from '#wire/api/jobs.ts'
import { childPath, nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import { offerJob } from './jobs.ts'

export type TransferVerb = 'move' | 'copy'

/**
 * Moves or copies `entries` into the folder `to`, then shows the destination if the user prefers
 * that (docs/specification.md 4). Failures of single entries become messages.
 *
 * @param options.stay whether the page stays, as for a paste
 * @param options.movesShownFile whether the only entry is the shown file, which stays open at its new path
 * @returns false if the user cancelled
 */
export async function transfer(
  verb: TransferVerb,
  entries: readonly Entry[],
  to: TreePath,
  { stay = false, movesShownFile = false } = {},
): Promise<boolean> {
  const isIn = (entry: Entry) => parentPath(entry.path) === to
  const others = entries.filter((entry) => !isIn(entry))
  const decided = await decideCollisions(verb, others, to)
  const plan =
    decided && inSafeOrder([...entries.filter(isIn).map((entry) => keepBoth(entry)), ...decided])
  if (!plan) return false
  if (plan.length === 0) return true
  const moved = plan.map(({ entry }) => entry)
  const offered = await offerJob(requestOf(verb, plan, to), moved)
  if (offered === 'started') noteTransfer(verb, to)
  if (offered !== 'small') return offered === 'started'
  const done: Step[] = []
  const changes = await groupChanges(async (record) => {
    for (const step of plan) {
      const { entry, name, onConflict } = step
      try {
        await RUN[verb](entry.path, childPath(to, name), onConflict, record)
        done.push(step)
      } catch (error) {
        toastError(error, entry.name)
      }
    }
  })
  const [first] = done
  const before = verb === 'move' ? done.map(({ entry }) => entry.path) : []
  if (first) noteTransfer(verb, to)
  if (first) reportChanges(textOf(verb, done, to), changes, { before, after: pathsIn(to, done) })
  if (movesShownFile) {
    if (first) showMovedFile(first, to)
    return true
  }
  await showResult(done, to, stay || others.length === 0)
  return true
}

/** Pickers offer the destination first, and menus offer to move more entries to that of a move. */
function noteTransfer(verb: TransferVerb, to: TreePath): void {
  noteDestination(to)
  if (verb === 'move') lastMove.to = to
}

/** The request of each operation. */
const RUN = { move: api.move, copy: api.copy } as const satisfies Record<TransferVerb, unknown>

/** One entry to move or copy. */
interface Step {
  entry: Entry
  /** The name at the destination: what is replaced keeps its spelling. */
  name: string
  onConflict: api.OnConflict
}

function requestOf(kind: TransferVerb, steps: readonly Step[], to: TreePath): JobRequest {
  const decisionOf = ({ rename, override }: api.OnConflict): JobDecision =>
    rename ? 'keepBoth' : override ? 'replace' : 'refuse'
  const items = steps.map(({ entry, name, onConflict }) => ({
    path: entry.path,
    decision: decisionOf(onConflict),
    ...(name !== entry.name && { name }),
  }))
  return { kind, items, to }
}

/** @param taken the name that is not free, as it is spelled at the destination: the server adds a number to it */
function keepBoth(entry: Entry, taken = entry.name): Step {
  return { entry, name: taken, onConflict: { rename: true } }
}

/**
 * Decides the collision of each entry.
 *
 * @returns undefined if the user cancels
 */
async function decideCollisions(
  verb: TransferVerb,
  entries: readonly Entry[],
  to: TreePath,
): Promise<Step[] | undefined> {
  if (entries.length === 0) return []
  const existing = await namesAt(to)
  const colliding = entries.filter(({ name }) => existing.find(name))
  if (colliding.length === 0)
    return withoutTwins(
      entries.flatMap((entry) => toStep(entry, undefined, existing)),
      existing,
    )
  const conflicts = conflictsOf(colliding, existing)
  const decisions = await ask({
    name: 'collision',
    verb,
    folder: to,
    total: entries.length,
    conflicts,
  })
  if (!decisions) return undefined
  const decided = new Map(colliding.map((entry, index) => [entry, decisions[index] ?? 'skip']))
  const steps = entries.flatMap((entry) => toStep(entry, decided.get(entry), existing))
  return withoutTwins(steps, existing)
}

/**
 * Entries of several folders, such as results of a search, may have the same name. None of them replaces one that was
 * moved or copied just before: it gets a free name.
 */
function withoutTwins(steps: readonly Step[], { keyOf }: FolderNames): Step[] {
  /** Key: that of a name; value: the name. */
  const taken = new Map<string, string>()
  return steps.map((step) => {
    const { entry, name, onConflict } = step
    if (onConflict.rename) return step
    const key = keyOf(name)
    if (taken.has(key)) return keepBoth(entry, taken.get(key))
    taken.set(key, name)
    return step
  })
}

/** Free names are chosen last: none of them is then the name of an entry that keeps its own. */
function inSafeOrder(steps: readonly Step[]): Step[] {
  const isRenamed = ({ onConflict }: Step) => onConflict.rename === true
  return [...steps.filter((step) => !isRenamed(step)), ...steps.filter(isRenamed)]
}

/** @returns one step; none if the entry is skipped */
function toStep(entry: Entry, decision: ConflictChoice | undefined, existing: FolderNames): Step[] {
  if (decision === 'skip') return []
  const name = existing.find(entry.name)?.name ?? entry.name
  if (decision === 'keepBoth') return [keepBoth(entry, name)]
  return [{ entry, name, onConflict: decision === 'replace' ? { override: true } : {} }]
}

/** The names in a folder; none if it cannot be listed, because the server reports collisions (docs/api.md 10.2). */
async function namesAt(folder: TreePath): Promise<FolderNames> {
  try {
    return namesIn(await api.list(folder))
  } catch {
    return NO_NAMES
  }
}

/** One conflict for each entry. Of entries of one name, only the first may replace what is there. */
function conflictsOf(entries: readonly Entry[], { find, keyOf }: FolderNames): Conflict[] {
  const keys = new Set<string>()
  return entries.map((entry) => {
    const isSibling = keys.has(keyOf(entry.name))
    keys.add(keyOf(entry.name))
    const existing = factsOf(find(entry.name) ?? entry)
    return { name: entry.name, existing, incoming: factsOf(entry), isSibling }
  })
}

function factsOf({ size, modified, isDir }: Entry): Conflict['existing'] {
  return { size, modified, isDir }
}

/** The message after a move or copy. */
function textOf(verb: TransferVerb, done: readonly Step[], to: TreePath): string {
  const folder = nameOf(to) || t('places.home')
  const key = verb === 'move' ? 'toasts.movedTo' : 'toasts.copiedTo'
  return t(key, { count: done.length, name: done[0]?.entry.name ?? '', folder })
}

/**
 * Shows the open file at its new path, in place of its old URL, which no longer exists. If the file got a free name,
 * the path is unknown, and its folder opens.
 */
function showMovedFile(step: Step, folder: TreePath): void {
  const [path] = pathsIn(folder, [step])
  goTo(path ? filesUrl(path, false) : filesUrl(folder, true), { replace: true })
}

/** The paths at the destination, except for those with a free name, which only the server knows. */
function pathsIn(folder: TreePath, steps: readonly Step[]): TreePath[] {
  const known = steps.filter(({ onConflict }) => !onConflict.rename)
  return known.map(({ name }) => childPath(folder, name))
}

/**
 * Shows the destination or reloads the page's folder. If it is the destination, the moved or copied entries are selected
 * there, except for those that got a free name, which only the server knows.
 */
async function showResult(done: readonly Step[], to: TreePath, stay: boolean): Promise<void> {
  const showsDestination = !stay && done.length > 0 && session.user?.redirectAfterCopyMove
  const isShown = listing.path === to && listing.status !== 'idle'
  if (showsDestination || (isShown && done.length > 0)) {
    preselect(done.filter(({ onConflict }) => !onConflict.rename).map(({ name }) => name))
  }
  if (showsDestination) goTo(filesUrl(to, true))
  else await reloadListing()
}
