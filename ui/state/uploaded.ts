/** What an upload has changed, said and undone as one. */
import { t } from '#ui/i18n/i18n.ts'
import { toastSuccess } from './toasts.ts'
import { rememberChanges } from './undo.ts'

/** Says that so many things arrived, the first called `name`, and offers to undo all of it at once. */
export function reportUploaded(entries: readonly number[], count: number, name: string): void {
  if (entries.length === 0) return
  rememberChanges(entries)
  toastSuccess(t('toasts.uploaded', { count, name }), entries)
}
