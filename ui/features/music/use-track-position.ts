/** Plays a track from the position where the user stopped it, and stores the position. */
import { type RefObject, useEffect, useEffectEvent } from 'react'
import { resumePosition, saveIfMoved, savePositionOf } from '#ui/state/media/playback-position.ts'
import type { TreePath } from '#wire/paths.ts'

interface Track {
  path: TreePath
  /** Changes with each start of the queue, also of the same track. */
  starts: number
  onBroken(): void
}

export function useTrackPosition(
  player: RefObject<HTMLAudioElement | null>,
  { path, starts, onBroken }: Track,
) {
  const applyPlayerState = useEffectEvent(() => {
    const element = player.current
    if (element?.error) onBroken()
    else if (element && hasMetadata(element)) resumePosition(element, path)
  })
  // Events of the player before the component is mounted are missed, so its state is read.
  useEffect(() => applyPlayerState(), [])

  const start = useEffectEvent(() => {
    const element = player.current
    if (!element) return
    if (element.ended) element.currentTime = 0
    void element.play().catch(() => undefined)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each start plays
  useEffect(() => start(), [starts])

  return { save, resume, saveIfMoved: saveMoved }

  /** Stores the position; but not while a new file has no metadata, because the position stored earlier must stay. */
  function save() {
    const element = player.current
    if (element && hasMetadata(element)) savePositionOf(element, path)
  }

  function resume() {
    if (player.current) resumePosition(player.current, path)
  }

  function saveMoved() {
    const element = player.current
    if (element && hasMetadata(element)) saveIfMoved(element, path)
  }
}

function hasMetadata({ readyState }: HTMLMediaElement): boolean {
  return readyState >= HTMLMediaElement.HAVE_METADATA
}
