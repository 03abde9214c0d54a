import { useEffect, useRef } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { useMedia } from '#ui/components/hooks/use-media.ts'
import { useLayer } from '#ui/components/overlays/use-layer.ts'
import { t } from '#ui/i18n/i18n.ts'
import { WIDE } from '#ui/lib/page/media.ts'
import { layout } from '#ui/state/view/layout.ts'
import { Sidebar } from './Sidebar.tsx'
import './Drawer.css'

/**
 * The sidebar as a drawer over the page, in narrow windows. It closes on navigation, when the window becomes wide, with
 * Escape or Back, and after a click outside it, or on a link or button.
 */
export function Drawer() {
  const drawer = useRef<HTMLDialogElement>(null)
  const isWide = useMedia(WIDE)
  const pathname = usePathname()
  const pathWhenOpened = useRef(pathname)
  useLayer(close)

  useEffect(() => {
    const element = drawer.current
    if (element && !element.open) element.showModal()
    return () => element?.close()
  }, [])

  useEffect(() => {
    if (isWide || pathname !== pathWhenOpened.current) close()
  }, [isWide, pathname])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog with Escape
    <dialog
      ref={drawer}
      className="Drawer"
      aria-label={t('sidebar.label')}
      onClose={close}
      onClick={closeOnClick}
    >
      <Sidebar />
    </dialog>
  )
}

function close(): void {
  layout.isDrawerOpen = false
}

/** Closes after a click outside the drawer, or on a link or button in it, except a button with `data-stays`. */
function closeOnClick(event: React.MouseEvent<HTMLDialogElement>): void {
  const { target, currentTarget } = event
  const isClosing =
    target instanceof Element && target.closest('a, button:not([data-stays])') !== null
  if (target === currentTarget || isClosing) close()
}
