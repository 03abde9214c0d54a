/** A frame that shows foreign HTML: it runs no scripts and isolates the styles. */
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { CHECKED_STYLE } from '#ui/lib/text/safe-css.ts'

/** An empty page without scripts, into which the content is inserted. */
export const EMPTY_PAGE =
  '<!doctype html><html><head><meta charset="utf-8"></head><body></body></html>'

/** Replaces the content of the page, and gives it these style sheets. */
export function fillPage(page: Document, body: Node, styles: readonly string[]): void {
  page.body.replaceChildren(body)
  for (const styled of page.querySelectorAll<HTMLElement>(`[${CHECKED_STYLE}]`)) {
    styled.style.cssText = styled.getAttribute(CHECKED_STYLE) ?? ''
    styled.removeAttribute(CHECKED_STYLE)
  }
  page.adoptedStyleSheets = styles.flatMap((css) => styleSheetsOf(page, css))
}

interface FramePageOptions {
  frame: RefObject<HTMLIFrameElement | null>
  /** Called at first, and when the colours of the surrounding page change. */
  applyColours(page: Document): void
  /** Called for a click on a link, which opens nothing by itself. */
  onLink(link: HTMLAnchorElement): void
}

/** @param page undefined until the frame is loaded */
export function useFramePage(page: Document | undefined, options: FramePageOptions): void {
  const applyColours = useEffectEvent(options.applyColours)
  const follow = useEffectEvent(options.onLink)
  const { frame } = options

  useEffect(() => {
    if (!page) return
    const update = () => applyColours(page)
    update()
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', update)
    return () => scheme.removeEventListener('change', update)
  }, [page])

  useEffect(() => {
    if (!page) return
    function onClick(event: MouseEvent): void {
      // An element of the frame has the frame's own classes, so `instanceof` fails; the tag name is checked.
      const link = (event.target as Element | null)?.closest?.('a')
      if (!link) return
      event.preventDefault()
      follow(link)
    }
    // Escape must close the viewer even if the frame has the focus.
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      frame.current?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    }
    page.addEventListener('click', onClick)
    page.addEventListener('keydown', onKey)
    return () => {
      page.removeEventListener('click', onClick)
      page.removeEventListener('keydown', onKey)
    }
  }, [page, frame])
}

/** @returns a style sheet for the frame; none if the frame has been removed */
function styleSheetsOf(page: Document, css: string): CSSStyleSheet[] {
  const Sheet = page.defaultView?.CSSStyleSheet
  if (!Sheet) return []
  const sheet = new Sheet()
  sheet.replaceSync(css)
  return [sheet]
}
