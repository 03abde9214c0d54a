import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { type Anchor, positionMenu } from '#ui/lib/gestures/menu-position.ts'
import { NARROW } from '#ui/lib/page/media.ts'
import { useLayer } from './use-layer.ts'

interface PopoverOptions {
  anchor: Anchor
  /** @returns the element inside the popover that gets the focus when it opens */
  firstFocus(popover: HTMLElement): HTMLElement | null | undefined
  onClose(): void
}

/**
 * Shows an element in the top layer while it is mounted: beside its anchor, in narrow windows as a sheet at the bottom
 * edge. Afterwards the element that had the focus before gets it back.
 */
export function usePopover(
  ref: RefObject<HTMLElement | null>,
  { anchor, firstFocus, onClose }: PopoverOptions,
): void {
  useLayer(onClose)
  const focusFirst = useEffectEvent((element: HTMLElement) =>
    firstFocus(element)?.focus({ preventScroll: true }),
  )
  const onToggle = useEffectEvent((event: ToggleEvent) => {
    if (event.newState === 'closed') onClose()
  })

  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const opener = document.activeElement
    const listener = (event: ToggleEvent) => onToggle(event)
    element.showPopover()
    if (!matchMedia(NARROW).matches) positionMenu(element, anchor)
    focusFirst(element)
    element.addEventListener('toggle', listener)
    return () => {
      element.removeEventListener('toggle', listener)
      const hadFocus = element.contains(document.activeElement)
      element.hidePopover()
      if (hadFocus && opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [ref, anchor])
}

/** Where a popover is rendered: inside an open dialog, because elements outside of a modal dialog are inert. */
export function popoverHost(anchor: Anchor): Element {
  const element =
    anchor instanceof HTMLElement ? anchor : document.elementFromPoint(anchor.x, anchor.y)
  return element?.closest('dialog') ?? document.body
}
