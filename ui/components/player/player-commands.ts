/** What the buttons and keys of a player do with its media element. */
import type { KeyboardEvent } from 'react'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'

const VOLUME_STEP = 0.1

/** The elements of a player: the media element, and the element around it and its controls. */
export interface PlayerParts {
  player: HTMLMediaElement | null
  frame: HTMLElement | null
}

export function togglePlay(player: HTMLMediaElement | null): void {
  if (!player) return
  if (player.paused || player.ended) void player.play().catch(() => undefined)
  else player.pause()
}

/** Moves the position by `seconds`, within the recording. */
export function seekBy(player: HTMLMediaElement | null, seconds: number): void {
  if (player) seekTo(player, player.currentTime + seconds)
}

export function seekTo(player: HTMLMediaElement | null, seconds: number): void {
  if (!player) return
  const end = Number.isFinite(player.duration) ? player.duration : Number.POSITIVE_INFINITY
  player.currentTime = Math.min(end, Math.max(0, seconds))
}

export function setVolume(player: HTMLMediaElement | null, volume: number): void {
  if (!player) return
  player.volume = Math.min(1, Math.max(0, volume))
  player.muted = false
}

export function toggleMute(player: HTMLMediaElement | null): void {
  if (!player) return
  // A volume of 0 sounds like muted: the button must change it.
  if (player.muted || player.volume > 0) player.muted = !player.muted
  else setVolume(player, 1)
}

export function setRate(player: HTMLMediaElement | null, rate: number): void {
  if (!player) return
  player.playbackRate = rate
  // The next file of the same player begins with the default rate.
  player.defaultPlaybackRate = rate
}

/** Shows the whole frame of the player in full screen, so that its controls stay available. */
export function toggleFullScreen({ player, frame }: PlayerParts): void {
  if (document.fullscreenElement) void document.exitFullscreen()
  else if (frame?.requestFullscreen) void frame.requestFullscreen().catch(() => undefined)
  else if (isPhoneVideo(player)) player.webkitEnterFullscreen()
}

/** iPhones support full screen only for the video element. */
interface PhoneVideo extends HTMLMediaElement {
  webkitEnterFullscreen(): void
}

function isPhoneVideo(player: HTMLMediaElement | null): player is PhoneVideo {
  return player !== null && 'webkitEnterFullscreen' in player
}

/**
 * Handles the keys of a player (docs/api.md 10.2), except for those that the focused control needs: the arrow keys for
 * a slider, Enter and Space for a button.
 */
export function onPlayerKey(event: KeyboardEvent<HTMLElement>, parts: PlayerParts): void {
  const { player } = parts
  if (!player || event.ctrlKey || event.metaKey || event.altKey) return
  const command = KEYS[event.key]
  if (!command || isOwnKey(event.target, event.key)) return
  event.preventDefault()
  event.stopPropagation()
  command(parts)
}

/** The effect of each key of a player. */
const KEYS: Record<string, (parts: PlayerParts) => void> = {
  ArrowLeft: ({ player }) => seekBy(player, -ON_DEMAND_LIMITS.seekSeconds),
  ArrowRight: ({ player }) => seekBy(player, ON_DEMAND_LIMITS.seekSeconds),
  ArrowUp: ({ player }) => changeVolume(player, VOLUME_STEP),
  ArrowDown: ({ player }) => changeVolume(player, -VOLUME_STEP),
  Enter: ({ player }) => togglePlay(player),
  ' ': ({ player }) => togglePlay(player),
  m: ({ player }) => toggleMute(player),
  f: toggleFullScreen,
}

function changeVolume(player: HTMLMediaElement | null, by: number): void {
  if (player) setVolume(player, player.volume + by)
}

/** Whether the focused control needs the key itself. */
function isOwnKey(target: EventTarget, key: string): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest('select, [popover]')) return true
  if (key === 'Enter' || key === ' ') return target.closest('button, a') !== null
  return key.startsWith('Arrow') && target.matches('[type="range"]')
}
