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

function call(verb: 'undo' | 'redo', id: number): Promise<UndoResult> {
  const headers = { 'Content-Type': 'application/json' }
  return requestJson<UndoResult>(`${API.journal}/${verb}`, {
    method: 'POST',
    body: JSON.stringify({ id }),
    headers,
  })
}
