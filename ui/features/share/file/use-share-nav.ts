import { useEffect, useEffectEvent } from 'react'
import { useSnapshot } from 'valtio'
import { useSwipe } from '#ui/components/hooks/use-swipe.ts'
import { neighboursOf } from '#ui/lib/entries/viewers.ts'
import { isRightToLeft } from '#ui/lib/page/direction.ts'
import { goTo } from '#ui/lib/page/location.ts'
import { sharePageUrl } from '#ui/lib/urls/share-urls.ts'
import { publicShare } from '#ui/state/sharing/public-share.ts'
import type { Entry } from '#wire/api/entry.ts'

/** Elements that handle arrow keys themselves: layers over the page, inputs and media players. */
const KEEPS_KEYS = 'dialog, [popover], input, select, textarea, audio, video'

/** Whether the previous and next buttons show an entry: every file, also texts, but no broken symlinks. */
function isShown({ type, isDir }: Pick<Entry, 'type' | 'isDir'>): boolean {
  return !isDir && type !== 'invalid_link'
}

/** The navigation around a file of a shared folder. */
export interface ShareNavState {
  /** Undefined if there is no file in this direction. */
  previous: (() => void) | undefined
  next: (() => void) | undefined
}

/**
 * Navigates to the files before and after the requested one: by keys, by swiping, and with buttons. The position is
 * that of the requested file, not of the shown one, so that a second key press counts while the first file is loading.
 */
export function useShareNav(hash: string) {
  const { siblings, path } = useSnapshot(publicShare)
  const { previous, next } = neighboursOf(siblings as readonly Entry[], path, isShown)
  const nav: ShareNavState = {
    previous: navigationTo(hash, previous),
    next: navigationTo(hash, next),
  }
  const swipe = useSwipe((direction) => nav[direction]?.())

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, defaultPrevented, altKey, ctrlKey, metaKey, shiftKey } = event
    if (defaultPrevented || altKey || ctrlKey || metaKey || shiftKey) return
    if (document.querySelector('dialog[open], :popover-open')) return
    if (target instanceof Element && target.closest(KEEPS_KEYS)) return
    const [back, on] = isRightToLeft() ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']
    const turn = key === back ? nav.previous : key === on ? nav.next : undefined
    if (!turn) return
    event.preventDefault()
    turn()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])

  return { nav, swipe }
}

/** @returns a function that shows the entry. It replaces the URL, so that the browser's back button shows the folder. */
function navigationTo(hash: string, entry: Entry | undefined): (() => void) | undefined {
  if (!entry) return undefined
  return () => goTo(sharePageUrl(hash, entry.path), { replace: true })
}
