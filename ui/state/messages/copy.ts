/** Copies text to the clipboard and shows the result as a message. */
import { clipboardError } from '#ui/i18n/clipboard-faults.ts'
import { t } from '#ui/i18n/i18n.ts'
import { copyText } from '#ui/lib/page/clipboard.ts'
import { toastError, toastSuccess } from './toasts.ts'

interface CopyOptions {
  /** The message after success. */
  success?: string
  /** Shows the reason of a failure. The default is a toast, which a dialog would cover. */
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
