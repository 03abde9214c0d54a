import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useRef, useState } from 'react'
import { Loading } from '#ui/components/Loading.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { keysOf } from '#ui/lib/keys.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { PdfFind } from './PdfFind.tsx'
import { PdfTools } from './PdfTools.tsx'
import { type PdfMatches, type PdfView, showPdf } from './pdf-view.ts'
import { listenToZoom } from './zoom-gestures.ts'
import './PdfPages.css'

const NO_MATCHES: PdfMatches = { current: 0, count: 0, isSearching: false }

/** The pages of a document, with tools for page, zoom and search. */
export function PdfPages({ name, document }: { name: string; document: PDFDocumentProxy }) {
  const { t, i18n } = useTranslation()
  const root = useRef<HTMLElement>(null)
  const container = useRef<HTMLDivElement>(null)
  const pages = useRef<HTMLDivElement>(null)
  /** Whether a second finger has touched the screen since the first one. */
  const hasTwoFingers = useRef(false)
  const [view, setView] = useState<PdfView>()
  const [isReady, setReady] = useState(false)
  const [page, setPage] = useState(1)
  const [scale, setScale] = useState({ value: 1, isFitted: true })
  const [matches, setMatches] = useState(NO_MATCHES)
  const [query, setQuery] = useState<string>()
  const [findRequests, setFindRequests] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another language does not open the document again
  useEffect(() => {
    if (!container.current || !pages.current) return
    const shown = showPdf(
      document,
      {
        container: container.current,
        pages: pages.current,
        language: i18n.language,
        nameOf: (page) => t('documents.page', { at: formatNumber(page) }),
      },
      {
        onPage: setPage,
        onScale: (value, isFitted) => setScale({ value, isFitted }),
        onMatches: setMatches,
        onReady: () => setReady(true),
      },
    )
    setView(shown)
    const stopZoom = listenToZoom(container.current, shown.zoomBy)
    return () => {
      stopZoom()
      shown.close()
    }
  }, [document])

  useEffect(() => {
    if (!view) return
    const commands: Record<string, (() => void) | undefined> = {
      'Ctrl+F': () => {
        setQuery((now) => now ?? '')
        setFindRequests((count) => count + 1)
      },
      '+': () => view.zoomBy(UI_LIMITS.zoomStep),
      '=': () => view.zoomBy(UI_LIMITS.zoomStep),
      '-': () => view.zoomBy(1 / UI_LIMITS.zoomStep),
      '0': () => view.fitWidth(),
    }
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing || isCovered(root.current)) return
      const keys = keysOf(event)
      if (keys !== 'Ctrl+F' && isTyping(event.target)) return
      const command = commands[keys]
      if (!command) return
      event.preventDefault()
      command()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [view])

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
        onPage={(page) => view?.goTo(page)}
        onZoom={(direction) =>
          view?.zoomBy(direction > 0 ? UI_LIMITS.zoomStep : 1 / UI_LIMITS.zoomStep)
        }
        onFit={() => view?.fitWidth()}
        onToggleFind={() => (query === undefined ? setQuery('') : closeFind())}
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
          <PdfFind
            query={query}
            matches={matches}
            requests={findRequests}
            onFind={find}
            onClose={closeFind}
          />
        )}
      </div>
    </section>
  )
}

/** Whether a dialog is over the pages. */
function isCovered(root: HTMLElement | null): boolean {
  const top = [...globalThis.document.querySelectorAll('dialog[open]')].at(-1)
  return top !== undefined && !top.contains(root)
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}
