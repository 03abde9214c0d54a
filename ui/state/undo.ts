/** What this window has changed, so that it can be undone: the entries of the journal that the answers named. */
import { proxy } from 'valtio'
import * as api from '#ui/api/journal.ts'
import { listenToRequests } from '#ui/api/request.ts'

/** Beyond this the oldest are forgotten here; the journal keeps them. */
const GROUPS_MAX = 100

/** Entries that one action made, in their order. */
type Group = number[]

/** The newest last. */
export const undoable = proxy<{ past: Group[]; future: Group[] }>({ past: [], future: [] })

/** The group of the action under way. */
let open: Group | undefined
let isUndoing = false

listenToRequests({ journalled: noteEntry })

/** An answer named its entry. */
function noteEntry(id: number): void {
  if (isUndoing) return
  if (open) open.push(id)
  else remember([id])
}

/** Everything that an action changes is undone at once. */
export async function asOneChange<T>(act: () => T | Promise<T>): Promise<T> {
  const outer = open
  open ??= []
  try {
    return await act()
  } finally {
    if (!outer && open) {
      if (open.length > 0) remember(open)
      open = undefined
    }
  }
}

/** Changes that somebody else has made for this window: a job. */
export function rememberChanges(entries: readonly number[]): void {
  if (entries.length > 0) remember([...entries])
}

/** What the action under way has changed so far. */
export function changedSoFar(): readonly number[] {
  return open ?? []
}

/** Undoes what was changed last. @throws Fault as the server says it; what is not undone stays as it is */
export async function undoLast(): Promise<void> {
  const group = undoable.past.pop()
  if (group) await undoGroup([...group])
}

/** Undoes certain changes, the newest first. @throws as `undoLast` */
export async function undoGroup(group: readonly number[]): Promise<void> {
  undoable.past = undoable.past.filter((other) => other[0] !== group[0])
  await quietly(async () => {
    for (const id of group.toReversed()) await api.undo(id)
  })
  undoable.future.push([...group])
}

/** Does again what was undone last. @throws as `undoLast` */
export async function redoLast(): Promise<void> {
  const group = undoable.future.pop()
  if (!group) return
  const again: Group = []
  await quietly(async () => {
    for (const id of group) again.push((await api.redo(id)).undoneBy)
  })
  undoable.past.push(again)
}

function remember(group: Group): void {
  undoable.past.push(group)
  undoable.past.splice(0, undoable.past.length - GROUPS_MAX)
  undoable.future = []
}

/** An undo is no change of its own here. */
async function quietly(act: () => Promise<void>): Promise<void> {
  isUndoing = true
  try {
    await act()
  } finally {
    isUndoing = false
  }
}
