/** Opens a PDF with pdf.js. Scripts in the document never run: their engine is not loaded, nor are XFA forms. */

import {
  GlobalWorkerOptions,
  getDocument,
  PasswordResponses,
  type PDFDocumentProxy,
  ResponseException,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { EmbeddedData } from './embedded-data.ts'
import { PDF_WORKER_URL } from './pdf-worker.ts'

/** Why a PDF is not shown. */
export type PdfProblem = 'broken' | 'unavailable' | 'unauthenticated' | 'forbidden' | 'notFound'

export interface PdfRequest {
  url: string
  /**
   * Called if the file is encrypted, and again after a wrong password.
   *
   * @param answer must be called with the password
   * @param isWrong whether the last password was wrong
   */
  onPassword(answer: (password: string) => void, isWrong: boolean): void
}

export interface OpeningPdf {
  document: Promise<PDFDocumentProxy>
  /** Ends the worker and frees the document. */
  close(): void
}

/** Opens a PDF. Only those parts of the file are requested that are shown. */
export function openPdf({ url, onPassword }: PdfRequest): OpeningPdf {
  GlobalWorkerOptions.workerSrc = PDF_WORKER_URL
  const task = getDocument({
    url: new URL(url, location.href),
    rangeChunkSize: ON_DEMAND_LIMITS.pdfRangeBytes,
    disableAutoFetch: true,
    disableStream: true,
    maxImageSize: ON_DEMAND_LIMITS.pdfPictureMaxPixels,
    BinaryDataFactory: EmbeddedData,
    cMapUrl: 'cmaps/',
    standardFontDataUrl: 'standard_fonts/',
    wasmUrl: 'wasm/',
    useWorkerFetch: false,
    enableXfa: false,
    verbosity: 0,
  })
  task.onPassword = (answer: (password: string) => void, reason: number) =>
    onPassword(answer, reason === PasswordResponses.INCORRECT_PASSWORD)
  return { document: task.promise, close: () => void task.destroy() }
}

/** @returns `broken` if the file is the reason; another problem for a refusal of the server or a lost connection */
export function pdfProblemOf(error: unknown): PdfProblem {
  if (!(error instanceof ResponseException)) return 'broken'
  return PROBLEM_BY_STATUS[error.status] ?? 'unavailable'
}

const PROBLEM_BY_STATUS: Record<number, PdfProblem> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'notFound',
}
