import { useSyncExternalStore } from 'react'

/** Whether the page fills the screen. */
export function useFullScreen(): boolean {
  return useSyncExternalStore(subscribe, isFullScreen)
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('fullscreenchange', onChange)
  return () => document.removeEventListener('fullscreenchange', onChange)
}

function isFullScreen(): boolean {
  return document.fullscreenElement === document.documentElement
}
