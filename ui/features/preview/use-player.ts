import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { focusQuietly } from '#ui/lib/last-input.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { TOUCH } from '#ui/lib/media.ts'
import { positionIn, savePosition } from '#ui/state/bookmarks.ts'
import { quickLook } from '#ui/state/quick-look.ts'
import { viewerState } from '#ui/state/viewer.ts'
import type { TreePath } from '#wire/paths.ts'

/** Places in shorter recordings are not worth remembering. */
const LONG_SECONDS = 60
/** A place is written down when it has moved so far. */
const NOTED_SECONDS = 5
const VOLUME_STEP = 0.1

/** What films and recordings have in common: keys, speed, and the place where one was. */
export function usePlayer(player: RefObject<HTMLMediaElement | null>, path: TreePath) {
  const [broken, setBroken] = useState(false)
  const [rate, setRate] = useState(1)

  useEffect(() => {
    const element = player.current
    if (!element) return
    // Over the listing the keys are those of Quick Look until the player is clicked.
    const keepsFocus = matchMedia(TOUCH).matches || quickLook.entry !== null
    const unfocus = keepsFocus ? undefined : focusQuietly(element)
    // What happened before the player was on the page went unheard.
    if (element.error) setBroken(true)
    if (element.readyState >= HTMLMediaElement.HAVE_METADATA) resume(element, path)
    if (viewerState.playsOn) void element.play().catch(() => undefined)
    viewerState.playsOn = false
    return () => {
      unfocus?.()
      savePositionOf(element, path)
      viewerState.playing = false
    }
  }, [player, path])

  function seek(seconds: number): void {
    const element = player.current
    if (!element) return
    const end = Number.isFinite(element.duration) ? element.duration : Number.POSITIVE_INFINITY
    element.currentTime = Math.min(end, Math.max(0, element.currentTime + seconds))
    // At once: the page may be closed before the player tells of its new place.
    savePositionOf(element, path)
  }

  function changeRate(wanted: number): void {
    if (player.current) player.current.playbackRate = wanted
    setRate(wanted)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const element = player.current
    if (!element || event.ctrlKey || event.metaKey || event.altKey) return
    const act = KEYS[event.key]
    if (!act) return
    // The browser's own player must not hear of it: it would do something else besides.
    event.preventDefault()
    event.stopPropagation()
    act(element, seek)
  }

  return {
    broken,
    rate,
    changeRate,
    seek,
    events: {
      onKeyDownCapture: onKeyDown,
      onError: () => setBroken(true),
      onLoadedMetadata: () => player.current && resume(player.current, path),
      onTimeUpdate: () => player.current && saveSometimes(player.current, path),
      onPlay() {
        viewerState.playing = true
      },
      onPause() {
        viewerState.playing = false
        if (player.current) savePositionOf(player.current, path)
      },
    },
  }
}

type Act = (player: HTMLMediaElement, seek: (seconds: number) => void) => void

const KEYS: Record<string, Act> = {
  ArrowLeft: (_, seek) => seek(-UI_LIMITS.seekSeconds),
  ArrowRight: (_, seek) => seek(UI_LIMITS.seekSeconds),
  ArrowUp: (player) => louder(player, VOLUME_STEP),
  ArrowDown: (player) => louder(player, -VOLUME_STEP),
  Enter: toggle,
  ' ': toggle,
  m(player) {
    player.muted = !player.muted
  },
  f(player) {
    if (document.fullscreenElement) void document.exitFullscreen()
    else void player.requestFullscreen?.().catch(() => undefined)
  },
}

function toggle(player: HTMLMediaElement): void {
  if (player.paused) void player.play().catch(() => undefined)
  else player.pause()
}

function louder(player: HTMLMediaElement, by: number): void {
  player.volume = Math.min(1, Math.max(0, player.volume + by))
}

function resume(player: HTMLMediaElement, path: TreePath): void {
  const position = positionIn(path)
  if (position !== undefined && position < player.duration - NOTED_SECONDS)
    player.currentTime = position
}

function saveSometimes(player: HTMLMediaElement, path: TreePath): void {
  if (Math.abs(player.currentTime - (positionIn(path) ?? 0)) > NOTED_SECONDS)
    savePositionOf(player, path)
}

/** What is over, or hardly begun, is remembered as nothing. */
function savePositionOf({ currentTime, duration }: HTMLMediaElement, path: TreePath): void {
  const inside = currentTime > NOTED_SECONDS && currentTime < duration - NOTED_SECONDS
  savePosition(path, duration > LONG_SECONDS && inside ? Math.floor(currentTime) : undefined)
}
