import { useEffect, useEffectEvent } from 'react'
import { addLayer } from '#ui/lib/layers.ts'

/** For layers over the page: the back button closes the layer, and the page stays. */
export function useLayer(onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => addLayer(() => close()), [])
}
