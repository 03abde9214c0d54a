import { t } from '#ui/i18n/i18n.ts'
import { dismissToast, toastSuccess, toasts } from '#ui/state/messages/toasts.ts'

/** Reports that settings were saved, with one message for several changes in a row. */
export function toastUpdated(): void {
  const text = t('settings.updated')
  const shown = toasts.shown.find((toast) => toast.text === text)
  if (shown) dismissToast(shown.id)
  toastSuccess(text)
}
