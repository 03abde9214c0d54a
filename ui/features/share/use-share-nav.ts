import { useEffect, useEffectEvent } from 'react'
import { useSnapshot } from 'valtio'
import { useSwipe } from '#ui/components/use-swipe.ts'
import { isRightToLeft } from '#ui/lib/direction.ts'
import { goTo } from '#ui/lib/location.ts'
import { sharePageUrl } from '#ui/lib/share-links.ts'
import { neighboursOf } from '#ui/lib/viewers.ts'
import { publicShare } from '#ui/state/public-share.ts'
import type { Entry } from '#wire/entry.ts'
import type { TreePath } from '#wire/paths.ts'

/** What lies over the page, and what plays, keep their arrow keys. */
const KEEPS_KEYS = 'dialog, [popover], input, select, textarea, audio, video'

/** Around a file of a shared folder. */
export interface ShareNavState {
  /** Undefined where there is none that way. */
  previous: (() => void) | undefined
  next: (() => void) | undefined
}

/** The ways to the files before and after the one at `path`: by keys, by a finger, and for buttons. */
export function useShareNav(hash: string, path: TreePath) {
  const { siblings } = useSnapshot(publicShare)
  const { previous, next } = neighboursOf(siblings as readonly Entry[], path)
  const nav: ShareNavState = { previous: wayTo(hash, previous), next: wayTo(hash, next) }
  const swipe = useSwipe((turn) => nav[turn]?.())

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

  return { nav: nav, swipe }
}

/** Replaces the address: back leads to the folder, not through every picture. */
function wayTo(hash: string, entry: Entry | undefined): (() => void) | undefined {
  if (!entry) return undefined
  return () => goTo(sharePageUrl(hash, entry.path), { replace: true })
}
