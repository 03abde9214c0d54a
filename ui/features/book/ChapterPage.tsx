import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { EMPTY_PAGE, fillPage, useFramePage } from '#ui/components/hooks/use-frame-page.ts'
import { printedFrame } from '#ui/components/print/printed.ts'
import { usePrintSheet } from '#ui/components/print/use-print-sheet.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { CHAPTER, FRAGMENT, readChapter } from './chapter.ts'
import type { Book } from './epub.ts'
import './ChapterPage.css'

/** A position in a book. */
export interface ReadingPosition {
  /** The number of the chapter, from 0. */
  chapter: number
  /** The id of an element in the chapter; empty for none. */
  fragment: string
  /** The scroll position in the chapter, 0 to 1. */
  fraction: number
}

interface ChapterPageProps {
  book: Book
  position: ReadingPosition
  /** The font size in percent of the default. */
  percent: number
  /** Called when the user clicks a link to another position in the book. */
  onPosition(position: ReadingPosition): void
  /** Reports how far the chapter has been read, 0 to 1. */
  onRead(fraction: number): void
}

/** The largest stored fraction of a chapter: 1 would be the beginning of the next one. */
const LAST_FRACTION = 0.999

/**
 * Renders a chapter in a frame that runs no scripts and isolates its styles. The frame inherits the page's
 * Content-Security-Policy, so it cannot request anything from other hosts.
 */
export function ChapterPage({ book, position, percent, onPosition, onRead }: ChapterPageProps) {
  const { t } = useTranslation()
  const frame = useRef<HTMLIFrameElement>(null)
  const [page, setPage] = useState<Document>()
  const reportRead = useEffectEvent(onRead)
  const { chapter } = position

  useEffect(() => {
    if (!page) return
    const { body, direction, styles, pictureUrls } = readChapter(book, book.chapters[chapter] ?? '')
    page.documentElement.lang = book.language
    page.documentElement.dir = direction
    fillPage(page, page.adoptNode(body), [...styles, BOOK_STYLE])
    return () => {
      for (const url of pictureUrls) URL.revokeObjectURL(url)
    }
  }, [page, book, chapter])

  useEffect(() => {
    page?.documentElement.style.setProperty('font-size', `${percent}%`)
  }, [page, percent])

  // Runs after the chapter is inserted, and whenever a position is chosen, even if it is equal to the previous one.
  useEffect(() => {
    if (!page) return
    const { fragment, fraction } = position
    const target = fragment ? page.getElementById(fragment) : null
    if (target) target.scrollIntoView()
    else page.scrollingElement?.scrollTo(0, fraction * (page.scrollingElement?.scrollHeight ?? 0))
  }, [page, position])

  useEffect(() => {
    if (!page) return
    let timer: ReturnType<typeof setTimeout> | undefined
    function onScroll(): void {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const scroller = page?.scrollingElement
        if (scroller)
          reportRead(Math.min(LAST_FRACTION, scroller.scrollTop / scroller.scrollHeight))
      }, ON_DEMAND_LIMITS.readingPositionMs)
    }
    page.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      page.removeEventListener('scroll', onScroll)
    }
  }, [page])

  useFramePage(page, {
    frame,
    applyColours,
    onLink(link) {
      const target = link.getAttribute(CHAPTER)
      if (target === null) window.open(link.href, '_blank', 'noopener,noreferrer')
      else {
        const fragment = link.getAttribute(FRAGMENT) ?? ''
        onPosition({ chapter: Number(target), fragment, fraction: 0 })
      }
    },
  })
  usePrintSheet(() => page && printedFrame(page, PRINT_STYLE))

  return (
    <iframe
      ref={frame}
      className="ChapterPage"
      title={book.title || t('book.text')}
      sandbox="allow-same-origin"
      srcDoc={EMPTY_PAGE}
      onLoad={() => setPage(frame.current?.contentDocument ?? undefined)}
    />
  )
}

/** Applies the colours of the surrounding page, because the frame has none of its custom properties. */
function applyColours(page: Document): void {
  const style = getComputedStyle(document.body)
  const root = page.documentElement.style
  root.setProperty('color-scheme', style.colorScheme)
  root.setProperty('--book-text', style.color)
  root.setProperty('--book-link', style.getPropertyValue('--accent-text'))
  const canvas = getComputedStyle(document.querySelector('.OpenBook') ?? document.body)
  root.setProperty('--book-page', canvas.backgroundColor)
}

/** The style of all books. It overrides the book's own colours and page margins. */
const BOOK_STYLE = `
  html { background: var(--book-page); }
  body {
    max-width: 40rem; margin: 0 auto !important; padding: 2rem 1.25rem 4rem !important;
    font-family: Georgia, 'Noto Serif', serif; line-height: 1.65;
    color: var(--book-text) !important; background: none !important;
    overflow-wrap: anywhere;
  }
  body * { color: inherit !important; background-color: transparent !important; }
  a[href], a[href] * { color: var(--book-link) !important; }
  img, svg, video { max-width: 100%; height: auto; }
  svg image { max-width: none; }
  pre { white-space: pre-wrap; }
  table { max-width: 100%; border-collapse: collapse; }
`

/** The colours of paper, whatever those of the page and of the book are. */
const PRINT_STYLE = ':host { font: 11pt/1.5 Georgia, serif; } img, svg { max-inline-size: 100%; }'
