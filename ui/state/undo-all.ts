/** Everything that somebody has changed since a moment, undone at once: for administrators. */
import * as api from '#ui/api/journal.ts'
import { t } from '#ui/i18n/i18n.ts'
import { ask } from './prompts.ts'
import { toastError, toastSuccess } from './toasts.ts'

/** What would become of changes. */
export interface UndoPreview {
  /** How many would be undone. */
  count: number
  /** Why others would stay, each reason once. */
  problems: readonly string[]
}

/** @throws Fault forbidden, badRequest */
export async function previewUndo(
  username: string,
  since: Date,
  signal: AbortSignal,
): Promise<UndoPreview> {
  return summary(await api.undoAll({ username, since: since.toISOString(), preview: true }, signal))
}

/** Asks whose changes, since when, and undoes them. Says how that went. @returns whether anything was tried */
export async function undoEverything(names: readonly string[], username: string): Promise<boolean> {
  const wanted = await ask({ name: 'undoAll', names, username })
  if (!wanted) return false
  try {
    const since = wanted.since.toISOString()
    const done = summary(await api.undoAll({ username: wanted.username, since, preview: false }))
    if (done.count > 0) toastSuccess(t('toasts.undoneAll', { count: done.count }))
    for (const problem of done.problems) toastError(problem)
  } catch (error) {
    toastError(error)
  }
  return true
}

function summary(results: Awaited<ReturnType<typeof api.undoAll>>): UndoPreview {
  const stay = results.map(({ problem }) => problem).filter((problem) => problem !== '')
  return { count: results.length - stay.length, problems: [...new Set(stay)] }
}
