/** Rubber-band selection with the mouse, with automatic scrolling at the edges. */
import { isRightToLeft } from '#ui/lib/page/direction.ts'
import type { Box } from '../layout/sections.ts'

/** The mouse movement after which a click becomes a band, in pixels. */
const START_PX = 4
/** The height of the zones at the upper and lower edge in which the mouse scrolls the listing, in pixels. */
const EDGE_PX = 24
/** In each animation frame the listing scrolls by this fraction of the distance that the mouse is inside the zone. */
const SCROLL_FACTOR = 0.25

interface BandElements {
  scroller: HTMLElement
  /** The container of the rows; the band is positioned inside it. */
  body: HTMLElement
  band: HTMLElement
}

/**
 * Draws a band from the pressed point to the mouse until the button is released.
 *
 * @param onCover called with the area of the body that the band covers, in pixels; `x` is from the inline start
 */
export function startRubberBand(
  start: PointerEvent,
  { scroller, body, band }: BandElements,
  onCover: (area: Box) => void,
): void {
  const origin = inBody(start)
  let latest = start
  let frame = 0

  addEventListener('pointermove', follow)
  addEventListener('pointerup', stop)
  addEventListener('pointercancel', stop)

  function follow(event: PointerEvent): void {
    const moved = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY)
    if (band.hidden && moved < START_PX) return
    latest = event
    if (!frame) frame = requestAnimationFrame(draw)
  }

  function draw(): void {
    frame = 0
    const scrollPx = scrollDistance(latest.clientY, scroller.getBoundingClientRect())
    scroller.scrollTop += scrollPx * SCROLL_FACTOR
    const pointer = inBody(latest)
    const y = Math.min(origin.y, pointer.y)
    const left = Math.min(origin.x, pointer.x)
    const width = Math.abs(pointer.x - origin.x)
    const height = Math.abs(pointer.y - origin.y)
    band.hidden = false
    band.style.left = `${left}px`
    band.style.top = `${y}px`
    band.style.width = `${width}px`
    band.style.height = `${height}px`
    const x = isRightToLeft() ? body.clientWidth - left - width : left
    onCover({ x, y, width, height })
    if (scrollPx !== 0) frame = requestAnimationFrame(draw)
  }

  function stop(): void {
    removeEventListener('pointermove', follow)
    removeEventListener('pointerup', stop)
    removeEventListener('pointercancel', stop)
    cancelAnimationFrame(frame)
    band.hidden = true
  }

  /** Converts a point of the viewport to the body's coordinates, limited to the area that can be scrolled to. */
  function inBody({ clientX, clientY }: PointerEvent): { x: number; y: number } {
    const box = body.getBoundingClientRect()
    const bottom = Math.max(box.height, scroller.scrollHeight - body.offsetTop)
    return {
      x: Math.max(0, Math.min(box.width, clientX - box.left)),
      y: Math.max(0, Math.min(bottom, clientY - box.top)),
    }
  }
}

/** How far `y` is inside the scroll zone at an edge, in pixels: negative at the top, 0 outside of both zones. */
function scrollDistance(y: number, box: DOMRect): number {
  if (y < box.top + EDGE_PX) return y - (box.top + EDGE_PX)
  if (y > box.bottom - EDGE_PX) return y - (box.bottom - EDGE_PX)
  return 0
}
