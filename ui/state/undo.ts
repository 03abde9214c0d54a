/** The undo stack of this window: the journal entries that the server's responses name. */
import { proxy } from 'valtio'
import * as api from '#ui/api/journal.ts'
import { listenToRequests } from '#ui/api/request.ts'
import { dismissUndone } from './toasts.ts'

/** If there are more, the oldest are dropped here; the journal keeps them. */
const GROUPS_MAX = 100

/** The journal entries of one action, by their numbers, in their order. */
type Group = number[]

/** Groups that can be undone, and groups that were undone and can be redone; the newest last. */
export const undoable = proxy<{ past: Group[]; future: Group[] }>({ past: [], future: [] })

/** The group of the running action; undefined if no action is running. */
let open: Group | undefined
/** True while an undo or redo is running: its own journal entries are not recorded. */
let isUndoing = false

listenToRequests({ onJournalEntry: recordEntry })

/** Called for each response that names a journal entry. */
function recordEntry(id: number): void {
  if (isUndoing) return
  if (open) open.push(id)
  else remember([id])
}

/** Groups all changes that `run` makes, so that one undo reverts them. Nested calls share the outer group. */
export async function groupChanges<T>(run: () => T | Promise<T>): Promise<T> {
  const outer = open
  open ??= []
  try {
    return await run()
  } finally {
    if (!outer && open) {
      if (open.length > 0) remember(open)
      open = undefined
    }
  }
}

/** Adds changes that this window did not request itself, such as those of a job. */
export function rememberChanges(entries: readonly number[]): void {
  if (entries.length > 0) remember([...entries])
}

/** @returns the changes that the running action has made so far */
export function currentChanges(): readonly number[] {
  return open ?? []
}

/**
 * Undoes the last group.
 *
 * @throws Fault of the server; the changes can then no longer be undone here, but still by the audit record
 */
export async function undoLast(): Promise<void> {
  const group = undoable.past.pop()
  if (group) await undoGroup([...group])
}

/**
 * Undoes the given changes, newest first.
 *
 * @throws Fault of the server; earlier changes of the group are then not undone
 */
export async function undoGroup(group: readonly number[]): Promise<void> {
  undoable.past = undoable.past.filter((other) => other[0] !== group[0])
  await withoutRecording(async () => {
    for (const id of group.toReversed()) await api.undo(id)
  })
  undoable.future.push([...group])
  dismissUndone(group)
}

/**
 * Redoes the group that was undone last.
 *
 * @throws Fault of the server; later changes of the group are then not redone
 */
export async function redoLast(): Promise<void> {
  const group = undoable.future.pop()
  if (!group) return
  const redone: Group = []
  await withoutRecording(async () => {
    for (const id of group) redone.push((await api.redo(id)).undoneBy)
  })
  undoable.past.push(redone)
}

function remember(group: Group): void {
  undoable.past.push(group)
  undoable.past.splice(0, undoable.past.length - GROUPS_MAX)
  undoable.future = []
}

/** Runs `run` without adding its changes to the stack: an undo is not a change to undo. */
async function withoutRecording(run: () => Promise<void>): Promise<void> {
  isUndoing = true
  try {
    await run()
  } finally {
    isUndoing = false
  }
}
