/** A document in its elements: the view, and what it reports. */

import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type RefObject, useEffect, useState } from 'react'
import type { FindMatches } from '#ui/components/fields/FindBar.tsx'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { type PdfView, showPdf } from './pdf-view.ts'
import { listenToZoom } from './zoom-gestures.ts'

/**
 * @param container the scroll container
 * @param pages in the container; it gets the pages
 */
export function useShownPdf(
  document: PDFDocumentProxy,
  container: RefObject<HTMLDivElement | null>,
  pages: RefObject<HTMLDivElement | null>,
) {
  const { t, language } = useTranslation()
  const [view, setView] = useState<PdfView>()
  const [isReady, setReady] = useState(false)
  const [page, setPage] = useState(1)
  const [scale, setScale] = useState({ value: 1, isFitted: true })
  const [matches, setMatches] = useState<FindMatches | undefined>({ index: 0, count: 0 })

  // biome-ignore lint/correctness/useExhaustiveDependencies: another language does not open the document again
  useEffect(() => {
    if (!container.current || !pages.current) return
    const shown = showPdf(
      document,
      {
        container: container.current,
        pages: pages.current,
        language,
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

  return { view, isReady, page, scale, matches }
}
