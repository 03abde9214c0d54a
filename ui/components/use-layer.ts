import { useEffectEvent, useLayoutEffect } from 'react'
import { addLayer } from '#ui/lib/layers.ts'

/**
 * For layers over the page: the back button closes the layer, and the page stays.
 *
 * @param level as for `addLayer`; it does not change
 */
export function useLayer(onClose: () => void, level?: 'top' | 'bottom'): void {
  const close = useEffectEvent(onClose)
  // With the element, not some time after it: going back must not close what is gone.
  useLayoutEffect(() => addLayer(() => close(), level), [level])
}
