import { type ReactNode, Suspense } from 'react'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { lazyPart } from '#ui/components/feedback/lazy-part.tsx'
import { loadPdfWorker } from '#ui/features/pdf/pdf-worker.ts'
import type { DocumentViewer } from '#ui/lib/entries/viewers.ts'

const PdfReader = lazyPart(async () => {
  // The reader starts this worker. Requested here, it loads beside the reader, and not after it.
  loadPdfWorker()
  return (await import('#ui/features/pdf/PdfReader.tsx')).PdfReader
})
const TextDocument = lazyPart(
  async () => (await import('#ui/features/documents/TextDocument.tsx')).TextDocument,
)
const Sheets = lazyPart(async () => (await import('./SheetsReader.tsx')).SheetsReader)

export interface DocumentReaderProps {
  viewer: DocumentViewer
  name: string
  /** The URL of the content. */
  url: string
  /** Reads the content, for formats that are read as a whole. */
  read(signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>
  /** Renders the frame around the document. */
  renderFrame(content: ReactNode): ReactNode
  /** Renders the reason why the file is not shown. */
  renderFailure(hint: string): ReactNode
}

/** A document in the viewer of its format. */
export function DocumentReader({ viewer, ...props }: DocumentReaderProps) {
  const Reader = viewer === 'pdf' ? PdfReader : viewer === 'document' ? TextDocument : Sheets
  return (
    <Suspense fallback={props.renderFrame(<Loading />)}>
      <Reader {...props} />
    </Suspense>
  )
}
