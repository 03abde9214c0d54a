/** Reads a spreadsheet in a worker. */
import { DocumentProblem } from '#wire/formats/document-problem.ts'
import type { Sheet } from '#wire/formats/sheets/sheet.ts'
import type { SheetsReply, SheetsRequest } from './sheets-worker.ts'

/**
 * @param signal ends the worker; the promise then remains pending
 * @throws DocumentProblem encrypted, tooLarge, broken
 */
export function readSheets(request: SheetsRequest, signal: AbortSignal): Promise<Sheet[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./sheets-worker.ts', import.meta.url), { type: 'module' })
    const end = () => worker.terminate()
    signal.addEventListener('abort', end, { once: true })
    worker.addEventListener('message', ({ data }: MessageEvent<SheetsReply>) => {
      end()
      if ('sheets' in data) resolve(data.sheets)
      else reject(new DocumentProblem(data.problem))
    })
    worker.addEventListener('error', () => {
      end()
      reject(new DocumentProblem('broken'))
    })
    worker.postMessage(request)
  })
}
