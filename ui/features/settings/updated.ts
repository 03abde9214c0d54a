import { t } from '#ui/i18n/i18n.ts'
import { dismissToast, toastSuccess, toasts } from '#ui/state/toasts.ts'

/** Says that settings were saved: once, however many were changed in a row. */
export function showUpdated(): void {
  const text = t('settings.updated')
  const shown = toasts.shown.find((toast) => toast.text === text)
  if (shown) dismissToast(shown.id)
  toastSuccess(text)
}
