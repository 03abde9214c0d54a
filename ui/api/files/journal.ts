/** Undo and redo of changes. */
import type { JournalEntry, UndoResult } from '#wire/api/journal.ts'
import { API, queryString } from '#wire/api/routes.ts'
import { requestJson } from '../client/request.ts'

/** The changes of a user since a time, newest first. */
export function list(options: {
  username: string
  from: string
  limit: number
}): Promise<JournalEntry[]> {
  return requestJson<JournalEntry[]>(`${API.journal}${queryString(options)}`)
}

/** @throws Fault notFound, forbidden, conflict or precondition (the files have changed since: nothing is undone) */
export function undo(id: number): Promise<UndoResult> {
  return call('undo', id)
}

/** @throws Fault as `undo` */
export function redo(id: number): Promise<UndoResult> {
  return call('redo', id)
}

/**
 * Undoes all changes of a user, or of one of their sessions, since a given time. With `preview` it only reports the
 * expected result.
 */
export function undoAll(
  options: { username: string; session?: string; since: string; preview: boolean },
  signal?: AbortSignal,
): Promise<UndoResult[]> {
  return requestJson<UndoResult[]>(`${API.journal}/undo-all`, {
    ...{ method: 'POST', body: JSON.stringify(options), headers: JSON_HEADERS },
    signal,
  })
}

const JSON_HEADERS = { 'Content-Type': 'application/json' }

function call(verb: 'undo' | 'redo', id: number): Promise<UndoResult> {
  return requestJson<UndoResult>(`${API.journal}/${verb}`, {
    method: 'POST',
    body: JSON.stringify({ id }),
    headers: JSON_HEADERS,
    // An undo is not a change to undo.
    onJournalEntry: () => undefined,
  })
}
