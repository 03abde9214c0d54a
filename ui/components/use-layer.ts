import { useEffect, useEffectEvent } from 'react'
import { addLayer } from '#ui/lib/layers.ts'

/** For what lies over the page: going back closes it, and the page stays. */
export function useLayer(onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => addLayer(() => close()), [])
}
