/** Messages for a failed copy to the clipboard (docs/specification.md 5). */
import { isFault } from '#wire/fault.ts'
import { faultText } from './faults.ts'
import { t } from './i18n.ts'

/** The message for an error of `copyText`. */
export function clipboardError(error: unknown): string {
  if (isFault(error, 'badRequest')) return t('clipboard.badRequest')
  if (isFault(error, 'forbidden')) return t('clipboard.forbidden')
  if (isFault(error, 'unsupported')) return t('clipboard.unsupported')
  return faultText(error)
}
