/** The undo stack of this tab: the journal entries that the server's responses name. */

import { proxy } from 'valtio'
import { listenToRequests } from '#ui/api/client/request.ts'
import * as api from '#ui/api/files/journal.ts'
import { assign } from '#ui/lib/assign.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { isFault } from '#wire/fault.ts'
import { dismissUndone, toastSuccess } from '../messages/toasts.ts'
import { onUserChange, session } from '../session/session.ts'
import { type ChangeInfo, storedStack, storeStack } from './stored-stack.ts'

/** The journal entries of one action, by their numbers, in their order. */
type Group = number[]

/** Adds a journal entry to a group. */
export type Recorder = (entry: number) => void

/** Groups that can be undone, and groups that were undone and can be redone; the newest last. */
export const undoable = proxy<{ past: Group[]; future: Group[] }>({ past: [], future: [] })

/** Settles when the changes that `groupChanges` makes have ended; undefined if there are none. */
let running: Promise<unknown> | undefined
/** Settles when the undo or redo that was asked for last has ended; undefined if there is none. There is one at a time. */
let lastTurn: Promise<unknown> | undefined
/** The entries of the group that is being undone or redone, as far as they can be undone, and redone, now. */
let inWork: { past: Group; future: Group } | undefined
/** Information about groups, by each of their entries. */
const infos = new Map<number, ChangeInfo>()
/** Called with the entries of each group that was undone. */
const undoListeners = new Set<(group: readonly number[]) => void>()

/** Each response that names a journal entry, except for those of a group and of an undo or redo, is a group of its own. */
listenToRequests({ onJournalEntry: (entry) => remember([entry]) })

/** The next user must not undo the changes of this one. A reload of the page keeps them. */
onUserChange((user) => {
  showStack(user?.id)
  if (!user) storeStack(undefined)
})
showStack(session.user?.id)
addEventListener('pagehide', () => {
  const { user } = session
  if (!user) return
  const past = [...undoable.past, inWork?.past ?? []].filter(isFilled)
  const future = [...undoable.future, inWork?.future ?? []].filter(isFilled)
  storeStack({ userId: user.id, past, future, infos: [...infos] })
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

/** Calls `listener` with the entries of each group that is undone in this tab. */
export function onUndone(listener: (group: readonly number[]) => void): void {
  undoListeners.add(listener)
}

/** Called with the number of entries that are done, of those of the group. */
export type OnProgress = (done: number, of: number) => void

/**
 * Undoes the last group, when the changes that are being made have ended. Without one, it undoes the user's last change of the
 * last hour, which was made in another tab.
 *
 * @returns what was undone, as far as it is known; null if there is nothing to undo
 * @throws Fault of the server, as `undoGroup`
 */
export function undoLast(onProgress?: OnProgress): Promise<ChangeInfo | undefined | null> {
  const isSameUser = sameUserCheck()
  return inTurn(async () => {
    if (running) await running
    if (!isSameUser()) return null
    const group = undoable.past.at(-1)
    if (group) return undoNow([...group], onProgress)
    const { findEarlierChange } = await import('./earlier-change.ts')
    const found = await findEarlierChange(session.user?.username ?? '')
    if (!found || !isSameUser()) return null
    infos.set(found.entry, { text: found.text, before: [], after: [] })
    return undoNow([found.entry], onProgress)
  })
}

/**
 * Undoes the given changes, newest first. After a failure, what was undone can be redone. The rest stays in the stack
 * if the failure may pass; otherwise it can be undone only by the audit record.
 *
 * @returns what was undone, as far as it is known
 * @throws Fault of the server; earlier changes of the group are then not undone
 */
export function undoGroup(
  group: readonly number[],
  onProgress?: OnProgress,
): Promise<ChangeInfo | undefined> {
  return inTurn(() => undoNow(group, onProgress))
}

async function undoNow(
  group: readonly number[],
  onProgress: OnProgress = () => undefined,
): Promise<ChangeInfo | undefined> {
  const index = undoable.past.findIndex((other) => other[0] === group[0])
  if (index >= 0) undoable.past.splice(index, 1)
  const left = [...group]
  const undone = () => group.slice(left.length)
  inWork = {
    past: left,
    get future() {
      return undone()
    },
  }
  const info = infos.get(group[0] ?? 0)
  const isSameUser = sameUserCheck()
  try {
    for (const id of group.toReversed()) {
      onProgress(undone().length, group.length)
      await api.undo(id).catch(unlessUndone(group))
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
    inWork = undefined
    if (left.length < group.length && isSameUser()) undoable.future.push(undone())
  }
}

/**
 * Redoes the group that was undone last. After a failure, what was redone can be undone, and the rest stays in the
 * stack if the failure may pass.
 *
 * @returns what was redone, as far as it is known
 * @throws Fault of the server; later changes of the group are then not redone
 */
export function redoLast(onProgress?: OnProgress): Promise<ChangeInfo | undefined> {
  return inTurn(() => redoNow(onProgress))
}

async function redoNow(onProgress: OnProgress = () => undefined): Promise<ChangeInfo | undefined> {
  const group = undoable.future.pop()
  if (!group) return undefined
  const redone: Group = []
  inWork = {
    past: redone,
    get future() {
      return group.slice(redone.length)
    },
  }
  const info = infos.get(group[0] ?? 0)
  const isSameUser = sameUserCheck()
  try {
    for (const id of group) {
      onProgress(redone.length, group.length)
      const { undoneBy } = await api.redo(id)
      redone.push(undoneBy)
      if (info) infos.set(undoneBy, info)
    }
    return info
  } catch (error) {
    if (mayPass(error) && isSameUser()) undoable.future.push(group.slice(redone.length))
    throw error
  } finally {
    inWork = undefined
    if (redone.length > 0 && isSameUser()) undoable.past.push(redone)
  }
}

/** Runs an undo or a redo when those before it have ended. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = lastTurn ? lastTurn.then(work) : work()
  const turn = result
    .catch(() => undefined)
    .then(() => {
      if (lastTurn === turn) lastTurn = undefined
    })
  lastTurn = turn
  return result
}

/** A part of a group may be undone already: a reload has cut its undo off, or it was undone in the activity. */
function unlessUndone(group: readonly number[]): (error: unknown) => void {
  return (error) => {
    if (group.length === 1 || !isFault(error) || error.reason !== 'alreadyUndone') throw error
  }
}

function isFilled(group: Group): boolean {
  return group.length > 0
}

/** @returns a function that tells whether the user is still signed in: the stacks of the next user stay as they are */
function sameUserCheck(): () => boolean {
  const userId = session.user?.id
  return () => session.user?.id === userId
}

/** Shows the changes that this tab has stored for the user. */
function showStack(userId: number | undefined): void {
  const stored = userId === undefined ? undefined : storedStack(userId)
  assign(undoable, { past: stored?.past ?? [], future: stored?.future ?? [] })
  infos.clear()
  for (const [entry, info] of stored?.infos ?? []) infos.set(entry, info)
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
