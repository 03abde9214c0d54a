import { faultText } from '#ui/i18n/faults.ts'
import { formatPercent } from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import {
  ChangedFileError,
  NotAsSentError,
  UnreadableFileError,
  UnreadableFolderError,
  UserChangedError,
} from '#ui/uploads/send/retry.ts'
import { isFault } from '#wire/fault.ts'

/**
 * @param fraction the part of the file that was sent, from 0 to 1
 * @returns a sentence that says why an upload failed, and what the user can do
 */
export function reasonFor(error: unknown, fraction: number): string {
  if (error instanceof UnreadableFileError) return reasonOfFile(error)
  if (error instanceof UnreadableFolderError) return reasonOfFolder(error)
  if (error instanceof ChangedFileError) return t('uploads.why.changed')
  if (error instanceof UserChangedError) return t('uploads.why.otherPerson')
  if (error instanceof NotAsSentError) return t('uploads.why.notAsSent')
  if (isFault(error, 'unavailable')) {
    const percent = formatPercent(Math.floor(fraction * 100) / 100)
    return fraction > 0 ? t('uploads.why.unavailableAt', { percent }) : t('uploads.why.unavailable')
  }
  if (isFault(error, 'conflict')) return t('uploads.why.conflict')
  if (isFault(error, 'isDirectory')) return t('uploads.why.isDirectory')
  if (isFault(error, 'tooLarge')) return t('uploads.why.tooLarge')
  return faultText(error)
}

/** The names of the browser's errors: the user, or the system, does not let the browser read. */
const REFUSALS = ['NotAllowedError', 'SecurityError']

function reasonOfFile({ cause }: UnreadableFileError): string {
  return t(isRefusal(cause) ? 'uploads.why.refused' : 'uploads.why.unreadable')
}

function reasonOfFolder({ cause }: UnreadableFolderError): string {
  if (isRefusal(cause)) return t('uploads.why.folderRefused')
  const isGone = cause instanceof DOMException && cause.name === 'NotFoundError'
  return t(isGone ? 'uploads.why.folderGone' : 'uploads.why.folderPartly')
}

function isRefusal(cause: unknown): boolean {
  return cause instanceof DOMException && REFUSALS.includes(cause.name)
}
