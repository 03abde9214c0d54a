import { type MouseEvent, useEffect, useRef } from 'react'
import { goTo } from '#ui/lib/location.ts'
import type { TreePath } from '#wire/paths.ts'
import { GOES_TO, renderMarkdown, SECTION } from './markdown.ts'
import { MATH } from './math-source.ts'
import './Markdown.css'

interface MarkdownProps {
  source: string
  /** The file: relative addresses in the text begin at its folder. */
  path: TreePath
  label: string
}

/** A Markdown text, rendered. */
export function Markdown({ source, path, label }: MarkdownProps) {
  const page = useRef<HTMLElement>(null)

  useEffect(() => {
    page.current?.replaceChildren(renderMarkdown(source, path))
    if (page.current) void showMath(page.current)
  }, [source, path])

  return (
    <section
      className="Markdown"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: pressing Enter on a link clicks it */}
      <article ref={page} className="Markdown__page" dir="auto" onClick={follow} />
    </section>
  )
}

/** Draws the formulas, where there are any; without the library they stay as they are written. */
async function showMath(page: HTMLElement): Promise<void> {
  if (!page.querySelector(`[${MATH}]`)) return
  const library = await import('./math.ts').catch(() => undefined)
  await library?.typeset(page)
}

/** Links into the tree, and to a section of the text, stay on this page. */
function follow(event: MouseEvent<HTMLElement>): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  const section = link.getAttribute(SECTION)
  const path = link.getAttribute(GOES_TO)
  if (section === null && path === null) return
  event.preventDefault()
  if (path !== null) goTo(path)
  else {
    const headings = event.currentTarget.querySelectorAll(`[${SECTION}]:not(a)`)
    const heading = [...headings].find((one) => one.getAttribute(SECTION) === section)
    heading?.scrollIntoView()
  }
}
