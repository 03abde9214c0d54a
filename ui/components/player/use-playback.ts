import { type RefObject, useEffect, useState } from 'react'

/** The state of a media element. */
export interface Playback {
  isPlaying: boolean
  /** Seconds. */
  position: number
  /** Seconds; of a stream without a known end, the part that can be reached. */
  duration: number
  /** The end of the loaded part around the position, in seconds. */
  loaded: number
  /** From 0 to 1. */
  volume: number
  isMuted: boolean
  /** The playback rate; 1 is normal speed. */
  rate: number
}

/** The props of a control of a player. */
export interface ControlProps {
  player: RefObject<HTMLMediaElement | null>
  playback: Playback
}

const STOPPED: Playback = {
  isPlaying: false,
  position: 0,
  duration: 0,
  loaded: 0,
  volume: 1,
  isMuted: false,
  rate: 1,
}

const EVENTS = [
  ...['play', 'pause', 'ended', 'timeupdate', 'seeking', 'seeked', 'durationchange'],
  ...['loadedmetadata', 'emptied', 'progress', 'volumechange', 'ratechange'],
]

/** Reads the state of a media element; the component renders again when it changes. */
export function usePlayback(player: RefObject<HTMLMediaElement | null>): Playback {
  const [playback, setPlayback] = useState(STOPPED)
  useEffect(() => {
    const element = player.current
    if (!element) return
    const read = () => setPlayback(playbackOf(element))
    read()
    for (const name of EVENTS) element.addEventListener(name, read)
    return () => {
      for (const name of EVENTS) element.removeEventListener(name, read)
    }
  }, [player])
  return playback
}

function playbackOf(player: HTMLMediaElement): Playback {
  return {
    isPlaying: !player.paused && !player.ended,
    position: player.currentTime,
    duration: durationOf(player),
    loaded: loadedOf(player),
    volume: player.volume,
    isMuted: player.muted || player.volume === 0,
    rate: player.playbackRate,
  }
}

/** @returns the length in seconds; 0 while it is unknown */
function durationOf({ duration, seekable }: HTMLMediaElement): number {
  if (Number.isFinite(duration)) return duration
  const end = seekable.length > 0 ? seekable.end(seekable.length - 1) : 0
  return Number.isFinite(end) ? end : 0
}

function loadedOf({ buffered, currentTime }: HTMLMediaElement): number {
  for (let index = 0; index < buffered.length; index += 1) {
    if (buffered.start(index) <= currentTime && currentTime <= buffered.end(index))
      return buffered.end(index)
  }
  return currentTime
}
