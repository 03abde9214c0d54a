/** The last change of the user that this window does not know: one before a reload of the page, or of another tab. */
import * as api from '#ui/api/files/journal.ts'
import { t } from '#ui/i18n/i18n.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { AuditAction } from '#wire/api/audit.ts'
import type { JournalEntry, JournalVerb } from '#wire/api/journal.ts'
import { nameOf, parentPath, parsePath } from '#wire/paths.ts'

/** What a change in effect did: the text of its message, or the words of the activity. */
const TEXTS: Partial<Record<JournalVerb, (change: JournalEntry) => string>> = {
  upload: ({ path }) => t('toasts.uploaded', { count: 1, name: shownNameOf(path) }),
  folder: (change) => actOf('newFolder', change),
  save: ({ path }) => t('toasts.saved', { name: shownNameOf(path) }),
  rename: ({ path, to }) =>
    parentOf(path) === parentOf(to)
      ? t('toasts.renamed', { name: shownNameOf(path), to: shownNameOf(to) })
      : t('toasts.movedTo', { count: 1, name: shownNameOf(path), folder: folderOf(to) }),
  copy: ({ path, to }) =>
    t('toasts.copiedTo', { count: 1, name: shownNameOf(path), folder: folderOf(to) }),
  extract: (change) => actOf('extract', change),
  archive: (change) => actOf('archive', change),
  sums: ({ path }) => t('toasts.saved', { name: shownNameOf(path) }),
  delete: ({ path }) => t('toasts.trashed', { count: 1, name: shownNameOf(path) }),
  restore: (change) => actOf('restore', change),
  redo: (change) => actOf('redo', change),
}

/**
 * Finds the last change that the user has made with a browser in the last hour and that is in effect.
 *
 * @returns its entry, and what it did; undefined if there is none
 * @throws Fault of the server
 */
export async function findEarlierChange(
  username: string,
): Promise<{ entry: number; text: string } | undefined> {
  const from = new Date(Date.now() - ON_DEMAND_LIMITS.earlierChangesMs).toISOString()
  const entries = await api.list({ username, from, limit: ON_DEMAND_LIMITS.earlierChanges })
  const last = entries.find(
    ({ client, undoneBy, verb }) => client === 'web' && undoneBy === 0 && TEXTS[verb],
  )
  const change = last && (redoneBy(last, entries) ?? last)
  const text = change && TEXTS[change.verb]?.(change)
  return last && text !== undefined ? { entry: last.id, text } : undefined
}

/**
 * @param entries of the journal
 * @returns the change that a redo has made again, by way of its undo; undefined for other changes, and if it is not listed
 */
function redoneBy(
  change: JournalEntry,
  entries: readonly JournalEntry[],
): JournalEntry | undefined {
  if (change.verb !== 'redo') return undefined
  const undo = entries.find(({ id }) => id === change.undoOf)
  const redone = undo && entries.find(({ id }) => id === undo.undoOf)
  return redone && (redoneBy(redone, entries) ?? redone)
}

function actOf(act: AuditAction, { path }: JournalEntry): string {
  const what = t(`activity.acts.${act}`)
  return path === '' ? what : t('toasts.about', { name: shownNameOf(path), what })
}

/** A path outside of the scope is empty. */
function shownNameOf(path: string): string {
  return path === '' ? '' : nameOf(parsePath(path))
}

function parentOf(path: string): string {
  return path === '' ? '' : parentPath(parsePath(path))
}

/** The name of the folder of a path. */
function folderOf(path: string): string {
  return shownNameOf(parentOf(path)) || t('places.home')
}
