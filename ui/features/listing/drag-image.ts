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
  // The browser takes the snapshot after the handler has returned.
  setTimeout(() => card.remove())
}

function element(className: string): HTMLElement {
  const made = document.createElement('span')
  made.className = className
  return made
}
