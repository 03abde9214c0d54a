import { useEffect } from 'react'
import { guardForm, releaseForm } from '#ui/state/forms.ts'

/** While `dirty`, the page is not left without a question. */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return
    guardForm()
    return releaseForm
  }, [dirty])
}
