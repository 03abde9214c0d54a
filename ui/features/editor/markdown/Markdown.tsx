import { type MouseEvent, useEffect, useRef } from 'react'
import { usePrintSheet } from '#ui/components/print/use-print-sheet.ts'
import { goTo } from '#ui/lib/page/location.ts'
import type { TreePath } from '#wire/paths.ts'
import {
  PAGE_URL_ATTRIBUTE,
  renderMarkdown,
  SECTION_ATTRIBUTE,
  sectionOf,
  type TreeUrls,
} from './markdown.ts'
import { MATH } from './math-source.ts'
import './Markdown.css'

interface MarkdownProps {
  source: string
  /** The file: relative URLs in the text are resolved against its folder. */
  path: TreePath
  label: string
  /** Resolves relative URLs if the text is not in the user's own scope. */
  urls?: TreeUrls | undefined
  /** Whether the page around the text prints it, with other things. */
  isPart?: boolean
  /** Ticks a check box or removes its tick; without it, the boxes only show their state. */
  onTask?: ((index: number, count: number) => void) | undefined
}

/** In the state of a history entry: how far the text was scrolled when a link to a section was followed. */
const LEFT_AT = 'leftAt'

/** A rendered Markdown text. */
export function Markdown({ source, path, label, urls, isPart = false, onTask }: MarkdownProps) {
  const page = useRef<HTMLElement>(null)
  const hasTasks = onTask !== undefined

  useEffect(() => {
    const element = page.current
    if (!element) return
    const before: readonly (Element | null)[] = boxesOf(element)
    const focused = before.indexOf(document.activeElement)
    element.replaceChildren(renderMarkdown(source, path, urls))
    const boxes = boxesOf(element)
    for (const box of boxes) box.disabled = !hasTasks
    boxes[focused]?.focus({ preventScroll: true })
    void renderMath(element)
  }, [source, path, urls, hasTasks])

  // The URL may name a section, when the text is opened and after back and forward.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another text
  useEffect(() => {
    const showSection = () => page.current && showSectionOf(page.current, location.hash)
    const showAgain = ({ state }: PopStateEvent) => {
      if (typeof state?.[LEFT_AT] === 'number')
        page.current?.parentElement?.scrollTo(0, state[LEFT_AT])
      else showSection()
    }
    showSection()
    addEventListener('popstate', showAgain)
    return () => removeEventListener('popstate', showAgain)
  }, [path])

  usePrintSheet(() => (isPart ? undefined : page.current?.cloneNode(true)))

  function onClick(event: MouseEvent<HTMLElement>): void {
    if (!(event.target instanceof HTMLInputElement)) {
      onLinkClick(event)
      return
    }
    const boxes = boxesOf(event.currentTarget)
    // The box shows what the source says, also if nothing could be changed.
    event.preventDefault()
    onTask?.(boxes.indexOf(event.target), boxes.length)
  }

  return (
    <section
      className="Markdown"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable
      tabIndex={0}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link and Space on a box send a click */}
      <article ref={page} className="Markdown__page" dir="auto" onClick={onClick} />
    </section>
  )
}

function boxesOf(page: HTMLElement): HTMLInputElement[] {
  return [...page.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')]
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
  if (path !== null) {
    goTo(path)
    return
  }
  const { pathname, hash } = link
  // The URL names the section, so that it can be copied. The text may also be a part of the page of its folder.
  if (pathname === location.pathname && hash !== location.hash) {
    const top = event.currentTarget.parentElement?.scrollTop ?? 0
    history.replaceState({ ...history.state, [LEFT_AT]: top }, '')
    history.pushState(
      { ...history.state, [LEFT_AT]: undefined },
      '',
      pathname + location.search + hash,
    )
  }
  showSectionOf(event.currentTarget, hash)
}

/** @param fragment of a URL, with its `#`; empty for none */
function showSectionOf(page: HTMLElement, fragment: string): void {
  if (fragment === '') return
  const name = sectionOf(fragment)
  const targets = [...page.querySelectorAll(`[${SECTION_ATTRIBUTE}]:not(a)`)]
  targets.find((target) => target.getAttribute(SECTION_ATTRIBUTE) === name)?.scrollIntoView()
}
