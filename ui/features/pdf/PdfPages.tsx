import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useRef, useState } from 'react'
import { Loading } from '#ui/components/feedback/Loading.tsx'
import { FindBar } from '#ui/components/fields/FindBar.tsx'
import { usePrintSheet } from '#ui/components/print/use-print-sheet.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { toastError } from '#ui/state/messages/toasts.ts'
import { PdfTools } from './PdfTools.tsx'
import { printHint, printPdf } from './print-pdf.ts'
import { usePdfKeys } from './use-pdf-keys.ts'
import { useShownPdf } from './use-shown-pdf.ts'
import './PdfPages.css'

/** The pages of a document, with tools for page, zoom and search. */
export function PdfPages({ name, document }: { name: string; document: PDFDocumentProxy }) {
  const root = useRef<HTMLElement>(null)
  const container = useRef<HTMLDivElement>(null)
  const pages = useRef<HTMLDivElement>(null)
  /** Whether a second finger has touched the screen since the first one. */
  const hasTwoFingers = useRef(false)
  const { view, isReady, page, scale, matches } = useShownPdf(document, container, pages)
  const [query, setQuery] = useState<string>()
  const [findRequests, setFindRequests] = useState(0)

  const { isPrinting, printAll } = usePrinting(document)
  usePrintSheet(printHint)
  usePdfKeys(root, view, {
    onFind() {
      setQuery((now) => now ?? '')
      setFindRequests((count) => count + 1)
    },
    onPrint: () => void printAll(),
  })

  function find(text: string, step?: 'next' | 'previous'): void {
    setQuery(text)
    view?.find(text, step)
  }

  function closeFind(): void {
    setQuery(undefined)
    view?.find('')
    container.current?.focus()
  }

  return (
    <section
      ref={root}
      className="PdfPages"
      aria-label={name}
      // Two fingers zoom; they do not swipe to another file.
      onPointerDown={({ isPrimary }) => {
        hasTwoFingers.current = !isPrimary
      }}
      onPointerUp={(event) => {
        if (hasTwoFingers.current) event.stopPropagation()
      }}
    >
      <PdfTools
        page={page}
        count={document.numPages}
        scale={scale}
        isFinding={query !== undefined}
        isPrinting={isPrinting}
        onPage={(page) => view?.goTo(page)}
        onZoom={(direction) =>
          view?.zoomBy(direction > 0 ? UI_LIMITS.zoomStep : 1 / UI_LIMITS.zoomStep)
        }
        onFit={() => view?.fitWidth()}
        onToggleFind={() => (query === undefined ? setQuery('') : closeFind())}
        onPrint={() => void printAll()}
      />
      <div className="PdfPages__stage">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of a scroll container */}
        <div
          ref={container}
          className="PdfPages__scroller"
          data-fitted={scale.isFitted || undefined}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
          tabIndex={0}
          onKeyDown={(event) => {
            // Pages that may be wider than the window are scrolled by the arrow keys.
            if (!scale.isFitted && event.key.startsWith('Arrow')) event.stopPropagation()
          }}
        >
          <div ref={pages} className="pdfViewer" />
        </div>
        {!isReady && <Loading />}
        {query !== undefined && (
          <FindBar
            text={query}
            matches={matches}
            requests={findRequests}
            onChange={find}
            onStep={(direction) => find(query, direction)}
            onClose={closeFind}
          />
        )}
      </div>
    </section>
  )
}

/** Prints the document, once at a time. */
function usePrinting(document: PDFDocumentProxy) {
  const [isPrinting, setPrinting] = useState(false)
  const closing = useRef<AbortController>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    closing.current = controller
    return () => controller.abort()
  }, [])

  async function printAll(): Promise<void> {
    const signal = closing.current?.signal
    if (isPrinting || !signal) return
    setPrinting(true)
    try {
      await printPdf(document, signal)
    } catch (error) {
      if (!signal.aborted) toastError(error)
    } finally {
      setPrinting(false)
    }
  }

  return { isPrinting, printAll }
}
