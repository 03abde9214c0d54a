/** Copying text for the person, who is told how it went. */
import { clipboardTrouble } from '#ui/i18n/clipboard-faults.ts'
import { t } from '#ui/i18n/i18n.ts'
import { copyText } from '#ui/lib/clipboard.ts'
import { toastError, toastSuccess } from './toasts.ts'

interface CopyOptions {
  /** What is said when it worked. */
  success?: string
  /** Says why it did not; a message of the page unless a dialog lies above those. */
  onTrouble?(why: string): void
}

/** @returns whether the text is on the clipboard now */
export async function copy(text: string, options: CopyOptions = {}): Promise<boolean> {
  const { success = t('clipboard.copied'), onTrouble = toastError } = options
  try {
    await copyText(text)
  } catch (error) {
    onTrouble(clipboardTrouble(error))
    return false
  }
  toastSuccess(success)
  return true
}
