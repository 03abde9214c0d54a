/** Copying text for the person, who is told how it went. */
import { clipboardError } from '#ui/i18n/clipboard-faults.ts'
import { t } from '#ui/i18n/i18n.ts'
import { copyText } from '#ui/lib/clipboard.ts'
import { toastError, toastSuccess } from './toasts.ts'

interface CopyOptions {
  /** What is said when it worked. */
  success?: string
  /** Says why it did not; a message of the page unless a dialog lies above those. */
  onError?(why: string): void
}

/** @returns whether the text is on the clipboard now */
export async function copy(text: string, options: CopyOptions = {}): Promise<boolean> {
  const { success = t('clipboard.copied'), onError = toastError } = options
  try {
    await copyText(text)
  } catch (error) {
    onError(clipboardError(error))
    return false
  }
  toastSuccess(success)
  return true
}
