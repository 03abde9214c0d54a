import { useEffect } from 'react'

/** When a player starts, all others on the page pause. */
export function useOnePlayer(): void {
  useEffect(() => {
    const listening = new AbortController()
    // Events of media elements do not bubble.
    document.addEventListener('play', ({ target }) => pauseOthers(target), {
      capture: true,
      signal: listening.signal,
    })
    return () => listening.abort()
  }, [])
}

function pauseOthers(started: EventTarget | null): void {
  for (const player of document.querySelectorAll<HTMLMediaElement>('audio, video')) {
    if (player !== started && !player.paused) player.pause()
  }
}
