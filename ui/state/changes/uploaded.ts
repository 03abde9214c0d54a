/** Reports a finished upload with one message, which undoes all of it. */
import { t } from '#ui/i18n/i18n.ts'
import { rememberChanges, reportChanges } from './undo.ts'

/** Reports that `count` entries were uploaded, the first named `name`, and offers to undo all of them. */
export function reportUploaded(entries: readonly number[], count: number, name: string): void {
  if (entries.length === 0) return
  rememberChanges(entries)
  reportChanges(t('toasts.uploaded', { count, name }), entries)
}
