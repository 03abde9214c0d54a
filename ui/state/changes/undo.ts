/** The undo stack of this window: the journal entries that the server's responses name. */

import { proxy } from 'valtio'
import { listenToRequests } from '#ui/api/client/request.ts'
import * as api from '#ui/api/files/journal.ts'
import { assign } from '#ui/lib/assign.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { isFault } from '#wire/fault.ts'
import { dismissUndone, toastSuccess } from '../messages/toasts.ts'
import { onUserChange, session } from '../session/session.ts'

/** The journal entries of one action, by their numbers, in their order. */
type Group = number[]

/** Adds a journal entry to a group. */
export type Recorder = (entry: number) => void

/** What a group did, in the words of its message, and what it concerns. */
export interface ChangeInfo {
  /** The text of its message. */
  text: string
  /** The paths that an undo brings back, and those that a redo brings back. */
  before: readonly string[]
  after: readonly string[]
}

/** Groups that can be undone, and groups that were undone and can be redone; the newest last. */
export const undoable = proxy<{ past: Group[]; future: Group[] }>({ past: [], future: [] })

/** Settles when the changes that `groupChanges` makes have ended; undefined if there are none. */
let running: Promise<unknown> | undefined
/** Information about groups, by each of their entries. */
const infos = new Map<number, ChangeInfo>()
/** Called with the entries of each group that was undone. */
const undoListeners = new Set<(group: readonly number[]) => void>()

/** Each response that names a journal entry, except for those of a group and of an undo or redo, is a group of its own. */
listenToRequests({ onJournalEntry: (entry) => remember([entry]) })

/** The next user must not undo the changes of this one. */
onUserChange(() => {
  assign(undoable, { past: [], future: [] })
  infos.clear()
})

/**
 * Groups the changes that `run` makes, so that one undo reverts them. Each of its requests gets `record` as its
 * `onJournalEntry`, because several actions may run at the same time.
 *
 * @returns the changes
 */
export async function groupChanges(
  run: (record: Recorder) => Promise<unknown>,
): Promise<readonly number[]> {
  const group: Group = []
  const isSameUser = sameUserCheck()
  const work = run((entry) => group.push(entry))
  const all = Promise.allSettled([running, work])
  running = all
  try {
    await work
  } finally {
    if (running === all) running = undefined
    if (isSameUser()) rememberChanges(group)
  }
  return group
}

/** Adds changes that are undone together: those of a group, an upload or a job. */
export function rememberChanges(entries: readonly number[]): void {
  if (entries.length > 0) remember([...entries])
}

/**
 * Reports changes that were remembered with a message, whose button undoes them. The message of the undo repeats `text`.
 *
 * @param paths.before the paths that an undo brings back: it selects them
 * @param paths.after the paths that a redo brings back
 * @returns the id of the toast
 */
export function reportChanges(
  text: string,
  changes: readonly number[],
  { before = [], after = [] }: Partial<Omit<ChangeInfo, 'text'>> = {},
): number {
  for (const entry of changes) infos.set(entry, { text, before, after })
  return toastSuccess(text, changes)
}

/** Calls `listener` with the entries of each group that is undone in this window. */
export function onUndone(listener: (group: readonly number[]) => void): void {
  undoListeners.add(listener)
}

/**
 * Undoes the last group, when the changes that are being made have ended. Without one, it undoes the user's last change of the
 * last hour: the page was loaded again after it.
 *
 * @returns what was undone, as far as it is known; null if there is nothing to undo
 * @throws Fault of the server, as `undoGroup`
 */
export async function undoLast(): Promise<ChangeInfo | undefined | null> {
  const isSameUser = sameUserCheck()
  if (running) await running
  if (!isSameUser()) return null
  const group = undoable.past.at(-1)
  if (group) return undoGroup([...group])
  const { findEarlierChange } = await import('./earlier-change.ts')
  const found = await findEarlierChange(session.user?.username ?? '')
  if (!found || !isSameUser()) return null
  infos.set(found.entry, { text: found.text, before: [], after: [] })
  return undoGroup([found.entry])
}

/**
 * Undoes the given changes, newest first. After a failure, what was undone can be redone. The rest stays in the stack
 * if the failure may pass; otherwise it can be undone only by the audit record.
 *
 * @returns what was undone, as far as it is known
 * @throws Fault of the server; earlier changes of the group are then not undone
 */
export async function undoGroup(group: readonly number[]): Promise<ChangeInfo | undefined> {
  const index = undoable.past.findIndex((other) => other[0] === group[0])
  if (index >= 0) undoable.past.splice(index, 1)
  const left = [...group]
  const info = infos.get(group[0] ?? 0)
  const isSameUser = sameUserCheck()
  try {
    for (const id of group.toReversed()) {
      await api.undo(id)
      left.pop()
    }
    dismissUndone(group)
    for (const listener of undoListeners) listener(group)
    // A change that had just ended is described a moment later.
    return info ?? infos.get(group[0] ?? 0)
  } catch (error) {
    if (index >= 0 && mayPass(error) && isSameUser()) undoable.past.splice(index, 0, left)
    throw error
  } finally {
    if (left.length < group.length && isSameUser()) undoable.future.push(group.slice(left.length))
  }
}

/**
 * Redoes the group that was undone last. After a failure, what was redone can be undone, and the rest stays in the
 * stack if the failure may pass.
 *
 * @returns what was redone, as far as it is known
 * @throws Fault of the server; later changes of the group are then not redone
 */
export async function redoLast(): Promise<ChangeInfo | undefined> {
  const group = undoable.future.pop()
  if (!group) return undefined
  const redone: Group = []
  const info = infos.get(group[0] ?? 0)
  const isSameUser = sameUserCheck()
  try {
    for (const id of group) {
      const { undoneBy } = await api.redo(id)
      redone.push(undoneBy)
      if (info) infos.set(undoneBy, info)
    }
    return info
  } catch (error) {
    if (mayPass(error) && isSameUser()) undoable.future.push(group.slice(redone.length))
    throw error
  } finally {
    if (redone.length > 0 && isSameUser()) undoable.past.push(redone)
  }
}

/** @returns a function that tells whether the user is still signed in: the stacks of the next user stay as they are */
function sameUserCheck(): () => boolean {
  const userId = session.user?.id
  return () => session.user?.id === userId
}

/** Whether a later attempt may succeed. */
function mayPass(error: unknown): boolean {
  return isFault(error, 'unavailable', 'unauthenticated', 'tooMany', 'locked')
}

function remember(group: Group): void {
  undoable.past.push(group)
  undoable.past.splice(0, undoable.past.length - UI_LIMITS.undoGroupsMax)
  undoable.future = []
  forgetInfos()
}

/** Removes the information about groups that are in no stack. */
function forgetInfos(): void {
  const known = new Set([...undoable.past, ...undoable.future].flat())
  for (const entry of infos.keys()) if (!known.has(entry)) infos.delete(entry)
}
