import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { formatNumber } from '#ui/i18n/format.ts'
import { useTranslation } from '#ui/i18n/i18n.ts'
import type { LogView } from '#ui/lib/shell-log.ts'
import { commands } from '#ui/state/commands.ts'
import { shell } from '#ui/state/shell.ts'
import type { TreePath } from '#wire/paths.ts'
import { LogBlock } from './LogBlock.tsx'
import { OwnPrograms } from './OwnPrograms.tsx'
import { PromptLine } from './PromptLine.tsx'
import './CommandSide.css'

/** Commands and what came of them, and below the line where the next one is typed. */
export function CommandSide({ folder }: { folder: TreePath }) {
  const { t } = useTranslation()
  const { log, running } = useSnapshot(commands)
  const { asks } = useSnapshot(shell)
  const paper = useRef<HTMLDivElement>(null)
  const prompt = useRef<HTMLInputElement>(null)
  const toEnd = useStickToEnd(paper, log)
  // The snapshot of a `ref` is the log itself.
  const { blocks, dropped } = log as LogView

  useEffect(() => {
    if (asks > 0) prompt.current?.focus()
  }, [asks])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is typed and clicked here is meant for the prompt
    <div
      ref={paper}
      className="CommandSide"
      dir="ltr"
      onScroll={toEnd.measure}
      onClick={(event) => focusUnlessSelecting(event, prompt.current)}
      onKeyDown={keepToItself}
    >
      {blocks.length === 0 && <OwnPrograms />}
      <div className="CommandSide__log" role="log" aria-label={t('shell.output')}>
        {dropped > 0 && (
          <p className="CommandSide__dropped">
            {t('shell.dropped', { count: dropped, value: formatNumber(dropped) })}
          </p>
        )}
        {blocks.map((block) => (
          <LogBlock key={block.id} block={block} />
        ))}
      </div>
      <PromptLine ref={prompt} folder={folder} running={running} onEnter={toEnd.go} />
    </div>
  )
}

/** The end stays in sight for whoever is at the end. */
function useStickToEnd(paper: React.RefObject<HTMLElement | null>, content: unknown) {
  const atEnd = useRef(true)

  // biome-ignore lint/correctness/useExhaustiveDependencies: new content is what it answers to
  useLayoutEffect(() => {
    const element = paper.current
    if (element && atEnd.current) element.scrollTop = element.scrollHeight
  }, [paper, content])

  useEffect(() => {
    const element = paper.current
    if (!element) return
    // A lower panel, or the keyboard on the screen, takes room from the end.
    const space = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight
    })
    space.observe(element)
    return () => space.disconnect()
  }, [paper])

  return {
    measure() {
      const element = paper.current
      if (!element) return
      const below = element.scrollHeight - element.clientHeight - element.scrollTop
      atEnd.current = below < NEAR_PX
    },
    go() {
      atEnd.current = true
    },
  }
}

/** Half a line from the end is at the end. */
const NEAR_PX = 12

/** A click on the paper is for writing, unless it selects what stands there. */
function focusUnlessSelecting({ target }: MouseEvent, prompt: HTMLElement | null): void {
  const onButton = target instanceof Element && target.closest('button, input') !== null
  if (!onButton && getSelection()?.isCollapsed !== false) prompt?.focus({ preventScroll: true })
}

/** No key that is pressed here is about the files above. */
function keepToItself(event: KeyboardEvent): void {
  event.nativeEvent.stopPropagation()
}
