/** Says what a copy or a downloaded archive lacks. A download is a navigation, so the page does not see its response. */
import { formatNumber } from '#ui/i18n/format.ts'
import { formatNames } from '#ui/i18n/format-names.ts'
import { t } from '#ui/i18n/i18n.ts'
import type { LeftOutEvent } from '#wire/api/events.ts'
import { toastError } from './toasts.ts'

export function toastLeftOut({ from, count, names }: LeftOutEvent): void {
  const shown = count > names.length ? [...names, '…'] : names
  toastError(
    t(from === 'copy' ? 'toasts.notCopied' : 'toasts.notDownloaded', {
      count,
      value: formatNumber(count),
      names: formatNames(shown),
    }),
  )
}
