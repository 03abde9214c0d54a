/** The worker of pdf.js. This module is small: pages import it before they load the reader. */
import url from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'

export const PDF_WORKER_URL = url

/** Loads the worker into the cache of the browser, for the reader that is loaded at the same time. */
export function loadPdfWorker(): void {
  fetch(url).catch(() => undefined)
}
