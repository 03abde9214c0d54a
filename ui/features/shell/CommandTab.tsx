import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { LogView } from '#ui/lib/text/shell-log.ts'
import { commands } from '#ui/state/shell/commands.ts'
import { shell } from '#ui/state/shell/shell.ts'
import type { TreePath } from '#wire/paths.ts'
import { LogBlock } from './LogBlock.tsx'
import { OwnPrograms } from './OwnPrograms.tsx'
import { PromptLine } from './PromptLine.tsx'
import './CommandTab.css'

/** The log of commands and their output, with the prompt below. */
export function CommandTab({ folder }: { folder: TreePath }) {
  const { t } = useTranslation()
  const { log, running } = useSnapshot(commands)
  const { openRequests } = useSnapshot(shell)
  const scroller = useRef<HTMLDivElement>(null)
  const prompt = useRef<HTMLInputElement>(null)
  const scrolling = useStickToEnd(scroller, log)
  // The snapshot of a `ref` is the log itself.
  const { blocks, dropped } = log as LogView

  useEffect(() => {
    if (openRequests > 0) prompt.current?.focus()
  }, [openRequests])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: clicks and keys are passed to the prompt
    <div
      ref={scroller}
      className="CommandTab"
      dir="ltr"
      onScroll={scrolling.update}
      onClick={(event) => focusUnlessSelecting(event, prompt.current)}
      onKeyDown={stopPropagation}
    >
      {blocks.length === 0 && <OwnPrograms />}
      <div className="CommandTab__log" role="log" aria-label={t('shell.output')}>
        {dropped > 0 && (
          <p className="CommandTab__dropped">
            {t('shell.dropped', { count: dropped, value: formatNumber(dropped) })}
          </p>
        )}
        {blocks.map((block) => (
          <LogBlock key={block.id} block={block} />
        ))}
      </div>
      <PromptLine ref={prompt} folder={folder} running={running} onEnter={scrolling.goToEnd} />
    </div>
  )
}

/** Keeps the log scrolled to the end if it is at the end. */
function useStickToEnd(scroller: React.RefObject<HTMLElement | null>, content: unknown) {
  const isAtEnd = useRef(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for new content
  useLayoutEffect(() => {
    const element = scroller.current
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [scroller, content])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    // The visible height shrinks if the panel is resized or the on-screen keyboard opens.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])

  return {
    update() {
      const element = scroller.current
      if (!element) return
      const below = element.scrollHeight - element.clientHeight - element.scrollTop
      isAtEnd.current = below < NEAR_PX
    },
    goToEnd() {
      isAtEnd.current = true
    },
  }
}

/** The log counts as scrolled to the end within this distance, which is half a line. */
const NEAR_PX = 12

/** A click on the log focuses the prompt, unless it selects text. */
function focusUnlessSelecting({ target }: MouseEvent, prompt: HTMLElement | null): void {
  const isOnButton = target instanceof Element && target.closest('button, input') !== null
  if (!isOnButton && getSelection()?.isCollapsed !== false) prompt?.focus({ preventScroll: true })
}

/** Keys pressed here must not trigger actions of the listing. */
function stopPropagation(event: KeyboardEvent): void {
  event.nativeEvent.stopPropagation()
}
