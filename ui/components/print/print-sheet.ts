/**
 * What is printed instead of the page. A page shows a part of a document at a time, often in a frame or with only the
 * visible rows; the sheet has all of it.
 */
import './PrintSheet.css'

/** Builds the content of the sheet; undefined if there is nothing to print yet. */
export type SheetContent = () => Node | undefined

/** The last one that has something is printed: it is over the others. */
const contents: SheetContent[] = []
let sheet: HTMLElement | undefined

/**
 * @returns a function that removes the content again
 */
export function offerSheet(content: SheetContent): () => void {
  if (contents.length === 0) {
    addEventListener('beforeprint', showSheet)
    addEventListener('afterprint', removeSheet)
  }
  contents.push(content)
  return () => {
    contents.splice(contents.indexOf(content), 1)
    if (contents.length > 0) return
    removeEventListener('beforeprint', showSheet)
    removeEventListener('afterprint', removeSheet)
  }
}

function showSheet(): void {
  removeSheet()
  let content: Node | undefined
  for (const offered of contents.toReversed()) content ??= offered()
  if (!content) return
  sheet = document.createElement('div')
  sheet.className = 'PrintSheet'
  sheet.append(content)
  document.body.append(sheet)
}

function removeSheet(): void {
  sheet?.remove()
  sheet = undefined
}
