import { useEffect } from 'react'
import { t } from '#ui/i18n/i18n.ts'
import { dismiss } from '#ui/state/dialogs/prompts.ts'
import { toastError } from '#ui/state/messages/toasts.ts'

/** If the code of a card cannot be loaded, the question is cancelled. The next question loads the code again. */
export function MissingCard() {
  useEffect(() => {
    dismiss()
    toastError(t('errors.missingPart'))
  }, [])
  return null
}
