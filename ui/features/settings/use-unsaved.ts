import { useEffect } from 'react'
import { guardForm, releaseForm } from '#ui/state/forms.ts'

/** While `dirty`, leaving the page asks first. */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return
    guardForm()
    return releaseForm
  }, [dirty])
}
