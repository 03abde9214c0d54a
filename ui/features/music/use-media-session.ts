import { type RefObject, useEffect, useEffectEvent } from 'react'
import { seekBy, seekTo } from '#ui/components/player/player-commands.ts'
import type { Playback } from '#ui/components/player/use-playback.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'

interface MediaSessionOptions {
  player: RefObject<HTMLMediaElement | null>
  metadata: { title: string; artist: string; album: string; cover: string | undefined }
  playback: Playback
  /** Starts or pauses the player. */
  toggle(): void
  previous(): void
  /** Undefined at the last track. */
  next: (() => void) | undefined
}

/** Connects the player with the media keys and the lock screen of the device. */
export function useMediaSession(options: MediaSessionOptions): void {
  const { player, metadata, playback } = options
  const { title, artist, album, cover } = metadata
  const { isPlaying, position, duration, rate } = playback
  const hasNext = options.next !== undefined
  // Devices may send a command again, such as play while the player plays.
  const setPlaying = useEffectEvent((shouldPlay: boolean) => {
    if (player.current?.paused === shouldPlay) options.toggle()
  })
  const previous = useEffectEvent(options.previous)
  const next = useEffectEvent(() => options.next?.())

  useEffect(() => {
    const { mediaSession } = navigator
    if (!mediaSession) return
    mediaSession.metadata = new MediaMetadata({
      title,
      artist,
      album,
      artwork: cover ? [{ src: new URL(cover, location.href).href }] : [],
    })
  }, [title, artist, album, cover])

  useEffect(() => {
    const { mediaSession } = navigator
    if (!mediaSession) return
    mediaSession.playbackState = isPlaying ? 'playing' : 'paused'
    // Without a known length, the position of the previous track must not stay.
    if (!(duration > 0)) return mediaSession.setPositionState()
    mediaSession.setPositionState({
      duration,
      playbackRate: rate,
      position: Math.min(position, duration),
    })
  }, [isPlaying, position, duration, rate])

  useEffect(() => {
    const handlers: [MediaSessionAction, MediaSessionActionHandler | null][] = [
      ['play', () => setPlaying(true)],
      ['pause', () => setPlaying(false)],
      ['previoustrack', () => previous()],
      ['nexttrack', hasNext ? () => next() : null],
      ['seekbackward', ({ seekOffset }) => seekBy(player.current, -(seekOffset ?? STEP_SECONDS))],
      ['seekforward', ({ seekOffset }) => seekBy(player.current, seekOffset ?? STEP_SECONDS)],
      ['seekto', ({ seekTime }) => seekTo(player.current, seekTime ?? 0)],
    ]
    for (const [action, handler] of handlers) setHandler(action, handler)
    return () => {
      for (const [action] of handlers) setHandler(action, null)
    }
  }, [player, hasNext])

  useEffect(
    () => () => {
      const { mediaSession } = navigator
      if (!mediaSession) return
      mediaSession.metadata = null
      mediaSession.playbackState = 'none'
    },
    [],
  )
}

const STEP_SECONDS = ON_DEMAND_LIMITS.seekSeconds

/** Browsers throw for an action that they do not know. */
function setHandler(action: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
  try {
    navigator.mediaSession?.setActionHandler(action, handler)
  } catch {
    // The device has no control for it.
  }
}
