import { isRightToLeft } from './direction.ts'

/** Where a menu opens: at a point of the window, or below a button. */
export type Anchor = { x: number; y: number } | HTMLElement

const MARGIN_PX = 8
const GAP_PX = 4

/** Puts `menu` beside its anchor and keeps it within the window. */
export function positionMenu(menu: HTMLElement, anchor: Anchor): void {
  const { width, height } = menu.getBoundingClientRect()
  const wanted =
    anchor instanceof HTMLElement ? besideButton(anchor, width, height) : atPoint(anchor, width)
  menu.style.left = `${clamp(wanted.x, window.innerWidth - width)}px`
  menu.style.top = `${clamp(wanted.y, window.innerHeight - height)}px`
}

function atPoint({ x, y }: { x: number; y: number }, width: number) {
  return { x: isRightToLeft() ? x - width : x, y }
}

/** Below the button, their starts in line when there is room; else their ends, or above. */
function besideButton(button: HTMLElement, width: number, height: number) {
  const box = button.getBoundingClientRect()
  const edges = [box.left, box.right - width]
  const [start = 0, end = 0] = isRightToLeft() ? edges.reverse() : edges
  const below = box.bottom + GAP_PX
  return {
    x: start === clamp(start, window.innerWidth - width) ? start : end,
    y: below === clamp(below, window.innerHeight - height) ? below : box.top - height - GAP_PX,
  }
}

function clamp(value: number, spaceEnd: number): number {
  return Math.max(MARGIN_PX, Math.min(value, spaceEnd - MARGIN_PX))
}
