import { type MouseEvent, useEffect, useRef } from 'react'
import { goTo } from '#ui/lib/page/location.ts'
import type { TreePath } from '#wire/paths.ts'
import { PAGE_URL_ATTRIBUTE, renderMarkdown, SECTION_ATTRIBUTE, type TreeUrls } from './markdown.ts'
import { MATH } from './math-source.ts'
import './Markdown.css'

interface MarkdownProps {
  source: string
  /** The file: relative URLs in the text are resolved against its folder. */
  path: TreePath
  label: string
  /** Resolves relative URLs if the text is not in the user's own scope. */
  urls?: TreeUrls | undefined
}

/** A rendered Markdown text. */
export function Markdown({ source, path, label, urls }: MarkdownProps) {
  const page = useRef<HTMLElement>(null)

  useEffect(() => {
    page.current?.replaceChildren(renderMarkdown(source, path, urls))
    if (page.current) void renderMath(page.current)
  }, [source, path, urls])

  return (
    <section
      className="Markdown"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
      tabIndex={0}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link sends a click */}
      <article ref={page} className="Markdown__page" dir="auto" onClick={onLinkClick} />
    </section>
  )
}

/** Renders the formulas, if there are any; if the library cannot be loaded, their source stays. */
async function renderMath(page: HTMLElement): Promise<void> {
  if (!page.querySelector(`[${MATH}]`)) return
  const library = await import('./math.ts').catch(() => undefined)
  await library?.typeset(page)
}

/** Links to entries of the tree, and to a section of the text, are handled without leaving the app. */
function onLinkClick(event: MouseEvent<HTMLElement>): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  const section = link.getAttribute(SECTION_ATTRIBUTE)
  const path = link.getAttribute(PAGE_URL_ATTRIBUTE)
  if (section === null && path === null) return
  event.preventDefault()
  if (path !== null) goTo(path)
  else {
    const headings = event.currentTarget.querySelectorAll(`[${SECTION_ATTRIBUTE}]:not(a)`)
    const heading = [...headings].find(
      (heading) => heading.getAttribute(SECTION_ATTRIBUTE) === section,
    )
    heading?.scrollIntoView()
  }
}
