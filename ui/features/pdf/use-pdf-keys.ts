/** The keys of a PDF: find, print, and zoom. */
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { keysOf } from '#ui/lib/gestures/keys.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { PdfView } from './pdf-view.ts'

/** @param root contains the pages and their tools */
export function usePdfKeys(
  root: RefObject<HTMLElement | null>,
  view: PdfView | undefined,
  { onFind, onPrint }: { onFind(): void; onPrint(): void },
): void {
  const openFind = useEffectEvent(onFind)
  const print = useEffectEvent(onPrint)

  useEffect(() => {
    if (!view) return
    const commands: Record<string, (() => void) | undefined> = {
      'Ctrl+F': () => openFind(),
      'Ctrl+P': () => print(),
      '+': () => view.zoomBy(UI_LIMITS.zoomStep),
      '=': () => view.zoomBy(UI_LIMITS.zoomStep),
      '-': () => view.zoomBy(1 / UI_LIMITS.zoomStep),
      '0': () => view.fitWidth(),
    }
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing || isCovered(root.current)) return
      const keys = keysOf(event)
      if (!keys.startsWith('Ctrl+') && isTyping(event.target)) return
      const command = commands[keys]
      if (!command) return
      event.preventDefault()
      command()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [root, view])
}

/** Whether a dialog is over the pages. */
function isCovered(root: HTMLElement | null): boolean {
  const top = [...globalThis.document.querySelectorAll('dialog[open]')].at(-1)
  return top !== undefined && !top.contains(root)
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}
