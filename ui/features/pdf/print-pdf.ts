/** Prints all pages of a PDF. They are drawn as pictures first, since the page has only those near the visible one. */
import { AnnotationMode, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { offerSheet } from '#ui/components/print/print-sheet.ts'
import { formatNumber } from '#ui/i18n/format.ts'
import { t } from '#ui/i18n/i18n.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'

/** The unit of a PDF is a 72th of an inch. */
const SCALE = ON_DEMAND_LIMITS.pdfPrintedDpi / 72

/**
 * Draws the pages, and opens the print dialog of the browser.
 *
 * @param signal aborted when the document is closed: then nothing is printed
 */
export async function printPdf(document: PDFDocumentProxy, signal: AbortSignal): Promise<void> {
  const count = Math.min(document.numPages, ON_DEMAND_LIMITS.pdfPrintedPagesMax)
  const pictures: HTMLImageElement[] = []
  const release = () => {
    for (const { src } of pictures) URL.revokeObjectURL(src)
  }
  try {
    for (let page = 1; page <= count && !signal.aborted; page += 1)
      pictures.push(await pictureOf(document, page))
  } catch (error) {
    release()
    throw error
  }
  if (signal.aborted) {
    release()
    return
  }
  const withdraw = offerSheet(() => {
    const sheet = globalThis.document.createDocumentFragment()
    sheet.append(...pictures, ...noteOf(count, document.numPages))
    return sheet
  })
  addEventListener(
    'afterprint',
    () => {
      withdraw()
      release()
    },
    { once: true },
  )
  print()
}

/** What is printed if the browser is asked to print before the pages are drawn. */
export function printHint(): HTMLElement {
  return paragraph(t('documents.printHint'))
}

async function pictureOf(document: PDFDocumentProxy, number: number): Promise<HTMLImageElement> {
  const page = await document.getPage(number)
  const viewport = page.getViewport({ scale: SCALE })
  const canvas = globalThis.document.createElement('canvas')
  const pixels = viewport.width * viewport.height
  const shrink = Math.min(1, Math.sqrt(ON_DEMAND_LIMITS.pdfCanvasMaxPixels / pixels))
  const fitted = page.getViewport({ scale: SCALE * shrink })
  canvas.width = Math.max(1, Math.floor(fitted.width))
  canvas.height = Math.max(1, Math.floor(fitted.height))
  await page.render({
    canvas,
    viewport: fitted,
    intent: 'print',
    annotationMode: AnnotationMode.ENABLE,
  }).promise
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  // The memory of a canvas is freed at once when it has no size.
  canvas.width = 0
  const picture = new Image()
  picture.src = blob ? URL.createObjectURL(blob) : ''
  picture.alt = t('documents.page', { at: formatNumber(number) })
  await picture.decode()
  return picture
}

/** The sentence that not everything is printed. */
function noteOf(shown: number, count: number): HTMLElement[] {
  if (shown === count) return []
  return [
    paragraph(
      t('documents.printedPages', { shown: formatNumber(shown), value: formatNumber(count) }),
    ),
  ]
}

function paragraph(text: string): HTMLElement {
  const element = globalThis.document.createElement('p')
  element.textContent = text
  return element
}
