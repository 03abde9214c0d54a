/** The last change of the user that this window does not know: one before a reload of the page, or of another tab. */
import * as api from '#ui/api/files/journal.ts'
import { t } from '#ui/i18n/i18n.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { JournalEntry, JournalVerb } from '#wire/api/journal.ts'
import { nameOf, parsePath } from '#wire/paths.ts'

/** The words of the activity for the changes that can be undone. */
const ACTS = {
  upload: 'upload',
  folder: 'newFolder',
  save: 'save',
  rename: 'rename',
  copy: 'copy',
  extract: 'extract',
  archive: 'archive',
  sums: 'save',
  delete: 'delete',
  restore: 'restore',
} as const satisfies Partial<Record<JournalVerb, string>>

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
    ({ client, undoneBy, verb }) => client === 'web' && undoneBy === 0 && isAct(verb),
  )
  return last && { entry: last.id, text: textOf(last) }
}

function isAct(verb: JournalVerb): verb is keyof typeof ACTS {
  return verb in ACTS
}

function textOf({ verb, path }: JournalEntry): string {
  const name = path === '' ? '' : nameOf(parsePath(path))
  const act = t(`activity.acts.${isAct(verb) ? ACTS[verb] : 'undo'}`)
  return name === '' ? act : t('toasts.about', { name, what: act })
}
