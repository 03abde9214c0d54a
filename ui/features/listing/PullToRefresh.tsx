import { useEffect, useRef, useState } from 'react'
import { Spinner } from '#ui/components/feedback/Spinner.tsx'
import { Icon } from '#ui/components/icons/Icon.tsx'
import { useTranslation } from '#ui/i18n/i18n.ts'
import { reloadListing } from '#ui/state/folder/listing.ts'
import './PullToRefresh.css'

/** The folder is reloaded on release if the icon has moved at least this far, in pixels. */
const TRIGGER_PX = 64
/** The icon moves more slowly than the finger, and never as far as this, in pixels. */
const DISTANCE_MAX_PX = 96

/** Pull to refresh: reloads the folder. It is rendered inside the scroll container. */
export function PullToRefresh() {
  const { t } = useTranslation()
  const icon = useRef<HTMLDivElement>(null)
  const [phase, setPhase] = useState<'rest' | 'pull' | 'enough' | 'busy'>('rest')

  useEffect(() => {
    const element = icon.current
    const area = element?.parentElement
    if (!element || !area) return
    let start: { x: number; y: number } | undefined
    let isPulling = false
    let isBusy = false
    const listeners = new AbortController()
    const passive = { signal: listeners.signal, passive: true }

    function begin({ touches, target }: TouchEvent): void {
      const [finger, ...others] = touches
      const isFree = finger && others.length === 0 && !isBusy && !isScrolled(target)
      start = isFree ? { x: finger.clientX, y: finger.clientY } : undefined
    }

    function move({ touches: [finger] }: TouchEvent): void {
      if (!start || !finger) return
      const [x, y] = [finger.clientX - start.x, finger.clientY - start.y]
      // A movement that begins sideways or upwards is another gesture.
      if (!isPulling && (y < 0 || Math.abs(x) > Math.abs(y))) start = undefined
      if (!start || y < SLACK_PX) return
      isPulling = true
      const distancePx = DISTANCE_MAX_PX * (1 - Math.exp(-y / DISTANCE_MAX_PX))
      element?.style.setProperty('--pull', `${distancePx}px`)
      element?.style.setProperty('--turn', `${3 * distancePx}deg`)
      setPhase(distancePx >= TRIGGER_PX ? 'enough' : 'pull')
    }

    function cancel(): void {
      start = undefined
      isPulling = false
      element?.style.removeProperty('--pull')
      setPhase((now) => (now === 'busy' ? now : 'rest'))
    }

    async function end(): Promise<void> {
      const isEnough = isPulling && distanceOf(element) >= TRIGGER_PX
      cancel()
      if (!isEnough) return
      isBusy = true
      setPhase('busy')
      await reloadListing()
      isBusy = false
      setPhase('rest')
    }

    area.addEventListener('touchstart', begin, passive)
    area.addEventListener('touchmove', move, passive)
    area.addEventListener('touchend', () => void end(), passive)
    area.addEventListener('touchcancel', cancel, passive)
    return () => listeners.abort()
  }, [])

  return (
    <div ref={icon} className="PullToRefresh" data-phase={phase}>
      {phase === 'busy' ? <Spinner label={t('listing.refreshing')} /> : <Icon name="refresh-cw" />}
    </div>
  )
}

/** A shorter movement, in pixels, is a tap and no pull. */
const SLACK_PX = 8

function isScrolled(target: EventTarget | null): boolean {
  const scroller = target instanceof Element ? target.closest('[role="grid"]') : null
  return scroller !== null && scroller.scrollTop > 0
}

function distanceOf(element: HTMLElement | null): number {
  return Number.parseFloat(element?.style.getPropertyValue('--pull') ?? '') || 0
}
