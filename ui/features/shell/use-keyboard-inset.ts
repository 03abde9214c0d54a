import { type RefObject, useEffect } from 'react'

/** Sets `--shell-keyboard` to the height that the on-screen keyboard covers. */
export function useKeyboardInset(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const view = window.visualViewport
    if (!view) return
    const update = () => {
      const hidden = view.scale === 1 ? window.innerHeight - view.height - view.offsetTop : 0
      panel.current?.style.setProperty('--shell-keyboard', `${Math.max(0, Math.round(hidden))}px`)
    }
    update()
    view.addEventListener('resize', update)
    view.addEventListener('scroll', update)
    return () => {
      view.removeEventListener('resize', update)
      view.removeEventListener('scroll', update)
    }
  }, [panel])
}
