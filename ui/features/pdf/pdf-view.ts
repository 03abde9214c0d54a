/** The pages of a PDF in a scroll container: drawn as they come into view, and freed when they leave it. */

import {
  AnnotationEditorType,
  AnnotationMode,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import {
  EventBus,
  FindState,
  LinkTarget,
  PDFFindController,
  PDFLinkService,
  PDFViewer,
} from 'pdfjs-dist/legacy/web/pdf_viewer.mjs'
import type { FindMatches } from '#ui/components/fields/FindBar.tsx'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { NARROW } from '#ui/lib/page/media.ts'

export interface PdfViewListener {
  onPage(page: number): void
  /** @param isFitted whether the scale follows the width of the window */
  onScale(scale: number, isFitted: boolean): void
  /** @param matches undefined while they are counted */
  onMatches(matches: FindMatches | undefined): void
  onReady(): void
}

interface PdfViewOptions {
  /** The scroll container, which is positioned absolutely. */
  container: HTMLDivElement
  pages: HTMLDivElement
  language: string
  /** The accessible name of a page. */
  nameOf(page: number): string
}

/** The point of the window that stays in place during zooming. */
export type ZoomOrigin = [x: number, y: number]

export interface PdfView {
  goTo(page: number): void
  zoomBy(factor: number, origin?: ZoomOrigin): void
  fitWidth(): void
  /** An empty text ends the search. */
  find(text: string, step?: 'next' | 'previous'): void
  close(): void
}

const FIT = 'page-width'

/** Shows a document; only the pages near the visible part have canvases. */
export function showPdf(
  document: PDFDocumentProxy,
  { container, pages, language, nameOf }: PdfViewOptions,
  listener: PdfViewListener,
): PdfView {
  const closing = new AbortController()
  const { viewer, eventBus, linkService } = makeViewer(
    { container, pages, language },
    closing.signal,
  )
  report(viewer, eventBus, nameOf, listener)
  viewer.setDocument(document)
  linkService.setDocument(document, null)
  ignoreRejectionOnClose(viewer)

  const observer = new ResizeObserver(() => {
    if (viewer.currentScaleValue === FIT) viewer.currentScaleValue = FIT
    else viewer.update()
  })
  observer.observe(container)
  return {
    goTo(page) {
      viewer.currentPageNumber = Math.min(document.numPages, Math.max(1, page))
    },
    zoomBy(factor, origin) {
      const next = Math.min(
        ON_DEMAND_LIMITS.pdfScaleMax,
        Math.max(ON_DEMAND_LIMITS.pdfScaleMin, viewer.currentScale * factor),
      )
      viewer.updateScale({
        scaleFactor: next / viewer.currentScale,
        drawingDelay: ON_DEMAND_LIMITS.pdfRedrawMs,
        ...(origin && { origin }),
      })
    },
    fitWidth() {
      viewer.currentScaleValue = FIT
    },
    find: searchOf(eventBus, listener),
    close() {
      observer.disconnect()
      viewer.setDocument(null)
      ignoreRejectionOnClose(viewer)
      linkService.setDocument(null)
      closing.abort()
    },
  }
}

/** @param signal removes the listeners of the viewer */
function makeViewer(
  { container, pages, language }: Pick<PdfViewOptions, 'container' | 'pages' | 'language'>,
  signal: AbortSignal,
) {
  // The sizes of pages that are not drawn yet are rounded too.
  for (const axis of ['x', 'y']) pages.style.setProperty(`--scale-round-${axis}`, '1px')
  const eventBus = new EventBus()
  const linkService = new PDFLinkService({
    eventBus,
    externalLinkTarget: LinkTarget.BLANK,
    externalLinkRel: 'noopener noreferrer nofollow',
  })
  const findController = new PDFFindController({ eventBus, linkService })
  const options = {
    container,
    viewer: pages,
    eventBus,
    linkService,
    findController,
    l10n: noTexts(language),
    annotationMode: AnnotationMode.ENABLE,
    annotationEditorMode: AnnotationEditorType.DISABLE,
    abortSignal: signal,
    maxCanvasPixels: ON_DEMAND_LIMITS.pdfCanvasMaxPixels,
    enableSelectionRendering: false,
    imagesRightClickMinSize: -1,
    // In a narrow window the pages have no space beside them.
    removePageBorders: matchMedia(NARROW).matches,
    // Icons of notes are hidden; their pictures must not be requested.
    imageResourcesPath: 'data:,',
  }
  const viewer = new PDFViewer(options)
  linkService.setViewer(viewer)
  return { viewer, eventBus, linkService }
}

/** Names the pages as they are drawn, and reports what happens in the viewer. */
function report(
  viewer: PDFViewer,
  eventBus: EventBus,
  nameOf: PdfViewOptions['nameOf'],
  listener: PdfViewListener,
): void {
  eventBus.on('pagesinit', () => {
    viewer.currentScaleValue = FIT
    listener.onReady()
  })
  eventBus.on('pagerendered', ({ source, pageNumber }: PageEvent) => {
    source.div.ariaLabel = nameOf(pageNumber)
  })
  eventBus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) =>
    listener.onPage(pageNumber),
  )
  eventBus.on(
    'scalechanging',
    ({ scale, presetValue }: { scale: number; presetValue?: string | undefined }) =>
      listener.onScale(scale, presetValue === FIT),
  )
  const onCount = ({ matchesCount: { current, total } }: MatchesEvent, isSearching = false) =>
    listener.onMatches(isSearching ? undefined : { index: current, count: total })
  eventBus.on('updatefindmatchescount', (event: MatchesEvent) => onCount(event))
  eventBus.on('updatefindcontrolstate', (event: MatchesEvent & { state: number }) =>
    onCount(event, event.state === FindState.PENDING),
  )
}

/** @returns a function that searches a text; an empty one ends the search */
function searchOf(eventBus: EventBus, listener: PdfViewListener): PdfView['find'] {
  let searched = ''
  return (text, step) => {
    if (text === '') {
      searched = ''
      eventBus.dispatch('findbarclose', { source: null })
      listener.onMatches({ index: 0, count: 0 })
      return
    }
    eventBus.dispatch('find', {
      source: null,
      type: text === searched && step ? 'again' : '',
      query: text,
      caseSensitive: false,
      entireWord: false,
      highlightAll: true,
      findPrevious: step === 'previous',
      matchDiacritics: false,
    })
    searched = text
  }
}

/**
 * Prevents an unhandled rejection. If a document is closed while its first page is read, pdf.js rejects the promise
 * that waits for all its pages. That promise must be read from the private field: the public `pagesPromise` is null
 * until the first page is read.
 */
function ignoreRejectionOnClose(viewer: PDFViewer): void {
  const { promise } = viewer._pagesCapability as PromiseWithResolvers<void>
  promise.catch(() => undefined)
}

type L10n = NonNullable<ConstructorParameters<typeof PDFViewer>[0]['l10n']>

interface PageEvent {
  source: { div: HTMLElement }
  pageNumber: number
}

interface MatchesEvent {
  matchesCount: { current: number; total: number }
}

/** The texts of pdf.js, of which none is used: pages are named when they are drawn. */
function noTexts(language: string): L10n {
  const noTextsL10n: Omit<L10n, '_setL10n'> = {
    getLanguage: () => language,
    getDirection: () => 'ltr',
    get: async () => '',
    translate: async () => {},
    translateOnce: async () => {},
    destroy: async () => {},
    pause() {},
    resume() {},
  }
  // The class has private fields; the viewer calls only these methods.
  return noTextsL10n as L10n
}
