import { useEffectEvent, useLayoutEffect } from 'react'
import { addLayer } from '#ui/lib/page/layers.ts'

/**
 * For a layer over the page, such as a dialog: the back button closes the layer and does not leave the page.
 *
 * @param level as for `addLayer`; it is the same in every render
 */
export function useLayer(onClose: () => void, level?: 'top' | 'bottom'): void {
  const close = useEffectEvent(onClose)
  // A layout effect removes the layer together with its element. A plain effect would run later, and until then the
  // back button would close a layer that is no longer shown.
  useLayoutEffect(() => addLayer(() => close(), level), [level])
}
