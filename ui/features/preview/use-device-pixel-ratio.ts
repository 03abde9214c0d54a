import { useSyncExternalStore } from 'react'

/** The pixels of the screen for one CSS pixel. It changes with the browser's zoom, and on another screen. */
export function useDevicePixelRatio(): number {
  return useSyncExternalStore(subscribe, () => devicePixelRatio)
}

function subscribe(changed: () => void): () => void {
  let media: MediaQueryList | undefined
  function listen(): void {
    media?.removeEventListener('change', onChange)
    media = matchMedia(`(resolution: ${devicePixelRatio}dppx)`)
    media.addEventListener('change', onChange)
  }
  function onChange(): void {
    listen()
    changed()
  }
  listen()
  return () => media?.removeEventListener('change', onChange)
}
