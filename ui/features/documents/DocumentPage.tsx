import { useEffect, useRef, useState } from 'react'
import { EMPTY_PAGE, fillPage, useFramePage } from '#ui/components/hooks/use-frame-page.ts'
import { printedFrame } from '#ui/components/print/printed.ts'
import { usePrintSheet } from '#ui/components/print/use-print-sheet.ts'
import type { SafePage } from './safe-page.ts'
import './DocumentPage.css'

/** The space on each side of a page of the document. */
const MARGIN_PX = 16

/**
 * Shows a document in a frame that runs no scripts and isolates its styles. The frame inherits the page's
 * Content-Security-Policy, so it cannot request anything from other hosts.
 */
export function DocumentPage({ name, content }: { name: string; content: SafePage }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [page, setPage] = useState<Document>()

  useEffect(() => {
    if (!page) return
    fillPage(page, page.importNode(content.body, true), [...content.styles, DOCUMENT_STYLE])
    const update = () => fit(page)
    update()
    page.defaultView?.addEventListener('resize', update)
    return () => page.defaultView?.removeEventListener('resize', update)
  }, [page, content])

  useFramePage(page, {
    frame,
    applyColours: (shown) => applyColours(shown, frame.current),
    onLink(link) {
      const href = link.getAttribute('href') ?? ''
      if (href.startsWith('#')) page?.getElementById(decodeId(href))?.scrollIntoView()
      else if (href !== '') window.open(link.href, '_blank', 'noopener,noreferrer')
    },
  })
  usePrintSheet(() => page && printedFrame(page, PRINT_STYLE))

  return (
    <iframe
      ref={frame}
      className="DocumentPage"
      title={name}
      sandbox="allow-same-origin"
      srcDoc={EMPTY_PAGE}
      onLoad={() => setPage(frame.current?.contentDocument ?? undefined)}
    />
  )
}

/** Zooms out if the pages of the document are wider than the frame. */
function fit(page: Document): void {
  const sections = [...page.querySelectorAll<HTMLElement>('section')]
  page.documentElement.style.setProperty('--zoom', '1')
  const widest = Math.max(0, ...sections.map(({ offsetWidth }) => offsetWidth))
  const availableWidth = page.documentElement.clientWidth - 2 * MARGIN_PX
  const zoom = widest > availableWidth && availableWidth > 0 ? availableWidth / widest : 1
  page.documentElement.style.setProperty('--zoom', String(zoom))
}

/** Gives the space around the document's pages the colours of the surrounding page. */
function applyColours(page: Document, frame: HTMLIFrameElement | null): void {
  const style = getComputedStyle(frame ?? document.body)
  page.documentElement.style.colorScheme = style.colorScheme
  page.documentElement.style.setProperty('--canvas', style.backgroundColor)
}

function decodeId(href: string): string {
  try {
    return decodeURIComponent(href.slice(1))
  } catch {
    return href.slice(1)
  }
}

/** The style of all documents. Their pages are white in both themes, because documents have colours of their own. */
const DOCUMENT_STYLE = `
  html { background: var(--canvas); scrollbar-width: thin; }
  body { margin: 0; }
  .docx-wrapper { padding: ${MARGIN_PX}px !important; background: none !important; }
  section.docx, .odt {
    zoom: var(--zoom, 1);
    margin: 0 auto ${MARGIN_PX}px !important;
    color-scheme: only light; color: black; background: white;
    box-shadow: 0 1px 3px rgb(0 0 0 / 0.25) !important;
    overflow-wrap: anywhere;
  }
  /* A document without a page size or margins has those that word processors take for it; its own are inline styles. */
  section.docx {
    box-sizing: border-box; padding: 2.54cm; inline-size: 21cm; min-block-size: 29.7cm;
  }
  .odt {
    box-sizing: border-box; max-inline-size: 52rem; min-block-size: 60vh;
    margin-block-start: ${MARGIN_PX}px !important;
    padding: clamp(1.25rem, 7vw, 5rem);
    font: 12pt/1.4 Georgia, 'Liberation Serif', 'Noto Serif', serif;
  }
  .odt li.header { list-style: none; counter-increment: list-item 0; }
  .odt :is(h1, h2, h3, h4, h5, h6) { margin: 0.7em 0 0.35em; line-height: 1.2; }
  .rtf p { white-space: pre-wrap; }
  .odt table { border-collapse: collapse; inline-size: 100%; }
  .odt td { padding: 0.1cm; vertical-align: top; }
  .odt .note { font-size: 0.8em; color: #555; }
  .odt .note [role='paragraph'] { display: inline; }
  .odt .note::before { content: ' ('; }
  .odt .note::after { content: ')'; }
  img { max-inline-size: 100%; }
  /* On a phone a whole page would be too small to read, so its text has the width of the window. */
  @media (width < 35rem) {
    section.docx {
      inline-size: 100% !important; min-block-size: 0 !important;
      padding: 1.25rem !important;
    }
  }
`

/** The printer has margins of its own. */
const PRINT_STYLE = `
  .docx-wrapper { display: block !important; padding: 0 !important; }
  section.docx, .odt {
    zoom: 1; margin: 0 !important; padding: 0 !important; box-shadow: none !important;
    inline-size: auto !important; max-inline-size: none; min-block-size: 0 !important;
  }
  section.docx:not(:last-child) { break-after: page; }
`
