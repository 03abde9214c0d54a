/** What hangs at the pointer while items are dragged. */
import { formatNumber } from '#ui/i18n/format.ts'
import './DragImage.css'

/** How far from the pointer it hangs, in pixels. */
const OFFSET_PX = 14

/** Shows the picture and the name of the item that was taken, and how many go with it. */
export function showDragImage(
  transfer: DataTransfer,
  cell: HTMLElement,
  name: string,
  count: number,
): void {
  const card = element('DragImage')
  const picture = cell.querySelector('img, .FileIcon')?.cloneNode(true)
  if (picture) card.append(picture)
  const words = element('DragImage__name')
  words.dir = 'auto'
  words.textContent = name
  card.append(words)
  if (count > 1) {
    const badge = element('DragImage__count')
    badge.textContent = formatNumber(count)
    card.append(badge)
  }
  document.body.append(card)
  transfer.setDragImage(card, OFFSET_PX, OFFSET_PX)
  // The browser draws it when the handler has returned.
  setTimeout(() => card.remove())
}

function element(className: string): HTMLElement {
  const made = document.createElement('span')
  made.className = className
  return made
}
