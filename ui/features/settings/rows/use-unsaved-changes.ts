import { useEffect } from 'react'
import { guardForm, releaseForm } from '#ui/state/session/forms.ts'

/** While there are unsaved changes, the user is asked before the page is left. */
export function useUnsavedChanges(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return
    guardForm()
    return releaseForm
  }, [hasChanges])
}
