import { type RefObject, useEffect, useState } from 'react'
import { isNetworkError } from '#ui/lib/entries/media-error.ts'
import { focusWithoutIndicator } from '#ui/lib/page/last-input.ts'
import { TOUCH } from '#ui/lib/page/media.ts'
import { quickLook } from '#ui/state/file/quick-look.ts'
import { viewerState } from '#ui/state/file/viewer.ts'
import { resumePosition, saveIfMoved, savePositionOf } from '#ui/state/media/playback-position.ts'

interface PlayerRefs {
  player: RefObject<HTMLMediaElement | null>
  /** The element that handles the player's keys. */
  frame: RefObject<HTMLElement | null>
}

/** Why a player stopped. `cut`: the connection broke while the file was loaded. */
type PlayerFailure = 'cut' | 'other'

/**
 * The common behaviour of films and recordings on their pages: the focus, and the last position.
 *
 * @param file what the position is remembered for
 */
export function usePlayer({ player, frame }: PlayerRefs, file: string) {
  const [failure, setFailure] = useState<PlayerFailure>()
  const isBroken = failure !== undefined

  useEffect(() => {
    const element = player.current
    if (isBroken || !element) return
    // In Quick Look the keys control Quick Look until the player is clicked.
    const keepsFocus = matchMedia(TOUCH).matches || quickLook.entry !== null
    const cancelFocus =
      keepsFocus || !frame.current ? undefined : focusWithoutIndicator(frame.current)
    // Events of the player before the component is mounted are missed, so its state is read.
    if (element.error) setFailure(failureOf(element))
    if (element.readyState >= HTMLMediaElement.HAVE_METADATA) resumePosition(element, file)
    if (viewerState.autoplays) void element.play().catch(() => undefined)
    viewerState.autoplays = false
    return () => {
      cancelFocus?.()
      savePositionOf(element, file)
      viewerState.isPlaying = false
    }
  }, [player, frame, file, isBroken])

  function save(): void {
    if (player.current) savePositionOf(player.current, file)
  }

  return {
    failure,
    /** Forgets the failure, so that the player is shown again. */
    retry: () => setFailure(undefined),
    events: {
      onError: () => setFailure(failureOf(player.current)),
      onLoadedMetadata: () => player.current && resumePosition(player.current, file),
      onTimeUpdate: () => player.current && saveIfMoved(player.current, file),
      // Stored at once: the page may be closed before the player has reached the new position.
      onSeeking: save,
      onPlay() {
        viewerState.isPlaying = true
      },
      onPause() {
        viewerState.isPlaying = false
        save()
      },
    },
  }
}

function failureOf(element: HTMLMediaElement | null): PlayerFailure {
  return isNetworkError(element?.error ?? null) ? 'cut' : 'other'
}
