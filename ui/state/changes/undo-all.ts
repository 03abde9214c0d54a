/** Undoes all changes of one user since a given time: for administrators. */
import * as api from '#ui/api/files/journal.ts'
import { storedFaultText } from '#ui/i18n/faults.ts'
import { t } from '#ui/i18n/i18n.ts'
import type { UndoableSession, UndoRequest } from '#ui/lib/accounts/undo-request.ts'
import type { AuditEntry } from '#wire/api/audit.ts'
import { ask } from '../dialogs/prompts.ts'
import { toastError, toastSuccess } from '../messages/toasts.ts'

/** The expected result of an undo. */
export interface UndoPreview {
  /** The number of changes that would be undone. */
  count: number
  /** The reasons why other changes would not be undone, without duplicates. */
  problems: readonly string[]
}

/** @throws Fault forbidden, badRequest */
export async function previewUndo(request: UndoRequest, signal: AbortSignal): Promise<UndoPreview> {
  return summary(await api.undoAll({ ...undoOptions(request), preview: true }, signal))
}

/**
 * Asks for a user and a start time, undoes the changes, and shows the result as a message.
 *
 * @param names the user names to choose from
 * @param username the one that is chosen at first
 * @param records audit records, newest first, whose sessions can be chosen
 * @returns false if the user cancelled
 */
export async function undoEverything(
  names: readonly string[],
  username: string,
  records: readonly AuditEntry[],
): Promise<boolean> {
  const request = await ask({ name: 'undoAll', names, username, sessions: sessionsIn(records) })
  if (!request) return false
  try {
    const result = summary(await api.undoAll({ ...undoOptions(request), preview: false }))
    if (result.count > 0) toastSuccess(t('toasts.undoneAll', { count: result.count }))
    for (const problem of result.problems) toastError(problem)
  } catch (error) {
    toastError(error)
  }
  return true
}

/** @returns each session once, with the time of its last change */
function sessionsIn(records: readonly AuditEntry[]): UndoableSession[] {
  const byId = new Map<string, UndoableSession>()
  for (const { session, username, address, time } of records) {
    if (session !== '' && !byId.has(session)) {
      byId.set(session, { session, username, address, time })
    }
  }
  return [...byId.values()]
}

function undoOptions({ username, session, since }: UndoRequest) {
  return { username, since: since.toISOString(), ...(session !== '' && { session }) }
}

function summary(results: Awaited<ReturnType<typeof api.undoAll>>): UndoPreview {
  const notUndone = results.filter(({ fault }) => fault !== '')
  const problems = notUndone.map(({ fault, problem }) => storedFaultText(fault, problem))
  return { count: results.length - notUndone.length, problems: [...new Set(problems)] }
}
