import { isRightToLeft } from '../page/direction.ts'

/** The anchor of a menu: a point of the viewport, or a button. */
export type Anchor = { x: number; y: number } | HTMLElement

const MARGIN_PX = 8
const GAP_PX = 4

/** Positions `menu` beside its anchor and inside the viewport. */
export function positionMenu(menu: HTMLElement, anchor: Anchor): void {
  const { width, height } = menu.getBoundingClientRect()
  const position =
    anchor instanceof HTMLElement ? besideButton(anchor, width, height) : atPoint(anchor, width)
  menu.style.left = `${clamp(position.x, window.innerWidth - width)}px`
  menu.style.top = `${clamp(position.y, window.innerHeight - height)}px`
}

function atPoint({ x, y }: { x: number; y: number }, width: number) {
  return { x: isRightToLeft() ? x - width : x, y }
}

/** Below the button with aligned starts if there is space; else with aligned ends, or above. */
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
