/** Changes of files, taken back and done again. */
import type { UndoResult } from '#wire/journal.ts'
import { API } from '#wire/routes.ts'
import { requestJson } from './request.ts'

/** @throws Fault notFound, forbidden, conflict, precondition: what has changed since stays as it is */
export function undo(id: number): Promise<UndoResult> {
  return call('undo', id)
}

/** @throws as `undo` */
export function redo(id: number): Promise<UndoResult> {
  return call('redo', id)
}

/** Everything of a user since a moment; with `preview` only what would become of it. */
export function undoAll(
  wanted: { username: string; since: string; preview: boolean },
  signal?: AbortSignal,
): Promise<UndoResult[]> {
  return requestJson<UndoResult[]>(`${API.journal}/undo-all`, {
    ...{ method: 'POST', body: JSON.stringify(wanted), headers: JSON_HEADERS },
    signal,
  })
}

const JSON_HEADERS = { 'Content-Type': 'application/json' }

function call(verb: 'undo' | 'redo', id: number): Promise<UndoResult> {
  return requestJson<UndoResult>(`${API.journal}/${verb}`, {
    method: 'POST',
    body: JSON.stringify({ id }),
    headers: JSON_HEADERS,
  })
}
