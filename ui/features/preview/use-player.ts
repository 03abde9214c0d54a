import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { focusWithoutIndicator } from '#ui/lib/last-input.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { TOUCH } from '#ui/lib/media.ts'
import { positionIn, savePosition } from '#ui/state/bookmarks.ts'
import { quickLook } from '#ui/state/quick-look.ts'
import { viewerState } from '#ui/state/viewer.ts'
import type { TreePath } from '#wire/paths.ts'

/** Positions in shorter recordings are not stored. */
const DURATION_MIN_SECONDS = 60
/** The position is stored each time it has moved this far. */
const SAVE_STEP_SECONDS = 5
const VOLUME_STEP = 0.1

/** The common behaviour of films and recordings: keys, playback rate, and the last position. */
export function usePlayer(player: RefObject<HTMLMediaElement | null>, path: TreePath) {
  const [broken, setBroken] = useState(false)
  const [rate, setRate] = useState(1)

  useEffect(() => {
    const element = player.current
    if (!element) return
    // In Quick Look the keys control Quick Look until the player is clicked.
    const keepsFocus = matchMedia(TOUCH).matches || quickLook.entry !== null
    const cancelFocus = keepsFocus ? undefined : focusWithoutIndicator(element)
    // Events before the component was mounted were missed.
    if (element.error) setBroken(true)
    if (element.readyState >= HTMLMediaElement.HAVE_METADATA) resume(element, path)
    if (viewerState.autoplays) void element.play().catch(() => undefined)
    viewerState.autoplays = false
    return () => {
      cancelFocus?.()
      savePositionOf(element, path)
      viewerState.playing = false
    }
  }, [player, path])

  function seek(seconds: number): void {
    const element = player.current
    if (!element) return
    const end = Number.isFinite(element.duration) ? element.duration : Number.POSITIVE_INFINITY
    element.currentTime = Math.min(end, Math.max(0, element.currentTime + seconds))
    // Stored at once: the page may be closed before the player reports its new position.
    savePositionOf(element, path)
  }

  function changeRate(newRate: number): void {
    if (player.current) player.current.playbackRate = newRate
    setRate(newRate)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const element = player.current
    if (!element || event.ctrlKey || event.metaKey || event.altKey) return
    const command = KEYS[event.key]
    if (!command) return
    // The browser's own player would handle the key too.
    event.preventDefault()
    event.stopPropagation()
    command(element, seek)
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
      onTimeUpdate: () => player.current && saveIfMoved(player.current, path),
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

type PlayerCommand = (player: HTMLMediaElement, seek: (seconds: number) => void) => void

const KEYS: Record<string, PlayerCommand> = {
  ArrowLeft: (_, seek) => seek(-UI_LIMITS.seekSeconds),
  ArrowRight: (_, seek) => seek(UI_LIMITS.seekSeconds),
  ArrowUp: (player) => changeVolume(player, VOLUME_STEP),
  ArrowDown: (player) => changeVolume(player, -VOLUME_STEP),
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

function changeVolume(player: HTMLMediaElement, by: number): void {
  player.volume = Math.min(1, Math.max(0, player.volume + by))
}

function resume(player: HTMLMediaElement, path: TreePath): void {
  const position = positionIn(path)
  if (position !== undefined && position < player.duration - SAVE_STEP_SECONDS)
    player.currentTime = position
}

function saveIfMoved(player: HTMLMediaElement, path: TreePath): void {
  if (Math.abs(player.currentTime - (positionIn(path) ?? 0)) > SAVE_STEP_SECONDS)
    savePositionOf(player, path)
}

/** At the beginning and at the end the stored position is deleted. */
function savePositionOf({ currentTime, duration }: HTMLMediaElement, path: TreePath): void {
  const inside = currentTime > SAVE_STEP_SECONDS && currentTime < duration - SAVE_STEP_SECONDS
  savePosition(
    path,
    duration > DURATION_MIN_SECONDS && inside ? Math.floor(currentTime) : undefined,
  )
}
