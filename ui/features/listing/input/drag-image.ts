/** The drag image of entries. */
import { formatNumber } from '#ui/i18n/format.ts'
import './DragImage.css'

/** The distance of the drag image from the pointer, in pixels. */
const OFFSET_PX = 14

/** Shows the thumbnail and the name of the dragged entry, and the number of dragged entries. */
export function showDragImage(
  transfer: DataTransfer,
  cell: HTMLElement,
  name: string,
  count: number,
): void {
  const card = createElement('DragImage')
  const picture = cell.querySelector('img, .FileIcon')?.cloneNode(true)
  if (picture) card.append(picture)
  const label = createElement('DragImage__name')
  label.dir = 'auto'
  label.textContent = name
  card.append(label)
  if (count > 1) {
    const badge = createElement('DragImage__count')
    badge.textContent = formatNumber(count)
    card.append(badge)
  }
  document.body.append(card)
  transfer.setDragImage(card, OFFSET_PX, OFFSET_PX)
  // The browser takes the snapshot after the handler has returned.
  setTimeout(() => card.remove())
}

function createElement(className: string): HTMLElement {
  const element = document.createElement('span')
  element.className = className
  return element
}
