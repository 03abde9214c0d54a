/** Undoes all changes of one user since a given time: for administrators. */
import * as api from '#ui/api/journal.ts'
import { t } from '#ui/i18n/i18n.ts'
import type { UndoableSession, UndoRequest } from '#ui/lib/undo-request.ts'
import type { AuditEntry } from '#wire/audit.ts'
import { ask } from './prompts.ts'
import { toastError, toastSuccess } from './toasts.ts'

/** The expected result of an undo. */
export interface UndoPreview {
  /** The number of changes that would be undone. */
  count: number
  /** The reasons why other changes would notUndone, without duplicates. */
  problems: readonly string[]
}

/** @throws Fault forbidden, badRequest */
export async function previewUndo(request: UndoRequest, signal: AbortSignal): Promise<UndoPreview> {
  return summary(await api.undoAll({ ...undoOptions(request), preview: true }, signal))
}

/**
 * Asks for a user and a start time, undoes the changes, and shows the result as a message.
 *
 * @param records audit records, newest first, from which the sessions are collected
 * @returns whether an undo was attempted
 */
export async function undoEverything(
  names: readonly string[],
  username: string,
  records: readonly AuditEntry[],
): Promise<boolean> {
  const request = await ask({ name: 'undoAll', names, username, sessions: sessionsIn(records) })
  if (!request) return false
  try {
    const done = summary(await api.undoAll({ ...undoOptions(request), preview: false }))
    if (done.count > 0) toastSuccess(t('toasts.undoneAll', { count: done.count }))
    for (const problem of done.problems) toastError(problem)
  } catch (error) {
    toastError(error)
  }
  return true
}

function sessionsIn(records: readonly AuditEntry[]): UndoableSession[] {
  const found = new Map<string, UndoableSession>()
  for (const { session, username, address, time } of records) {
    if (session !== '' && !found.has(session)) {
      found.set(session, { session, username, address, time })
    }
  }
  return [...found.values()]
}

function undoOptions({ username, session, since }: UndoRequest) {
  return { username, since: since.toISOString(), ...(session !== '' && { session }) }
}

function summary(results: Awaited<ReturnType<typeof api.undoAll>>): UndoPreview {
  const notUndone = results.map(({ problem }) => problem).filter((problem) => problem !== '')
  return { count: results.length - notUndone.length, problems: [...new Set(notUndone)] }
}
