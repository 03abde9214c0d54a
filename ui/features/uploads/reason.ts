import { faultText } from '#ui/i18n/faults.ts'
import { formatPercent } from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import { OtherPerson, UnreadableFile } from '#ui/uploads/retry.ts'
import { isFault } from '#wire/fault.ts'

/** Why an upload failed, and what that means, in one sentence. `share`: how much was sent. */
export function reasonFor(error: unknown, share: number): string {
  if (error instanceof UnreadableFile) return t('uploads.why.unreadable')
  if (error instanceof OtherPerson) return t('uploads.why.otherPerson')
  if (isFault(error, 'unavailable')) {
    const percent = formatPercent(Math.floor(share * 100) / 100)
    return share > 0 ? t('uploads.why.unavailableAt', { percent }) : t('uploads.why.unavailable')
  }
  if (isFault(error, 'conflict')) return t('uploads.why.conflict')
  if (isFault(error, 'isDirectory')) return t('uploads.why.isDirectory')
  if (isFault(error, 'tooLarge')) return t('uploads.why.tooLarge')
  return faultText(error)
}
