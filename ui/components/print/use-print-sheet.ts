import { useEffect, useEffectEvent } from 'react'
import { offerSheet, type SheetContent } from './print-sheet.ts'

/** As long as the component is shown, the browser prints `content` instead of the page. */
export function usePrintSheet(content: SheetContent): void {
  const current = useEffectEvent(content)
  useEffect(() => offerSheet(() => current()), [])
}
