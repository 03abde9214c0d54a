/** The music queue: the recordings of a folder, which go on playing on every page. */

import { proxy, ref } from 'valtio'
import { assign } from '#ui/lib/assign.ts'
import { coverAmong } from '#ui/lib/entries/covers.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { Entry } from '#wire/api/entry.ts'
import { onUserChange } from '../session/session.ts'

interface Music {
  /** In the order of the listing; empty while the player is closed. A `ref`. */
  tracks: readonly Entry[]
  /** The index of the current track. */
  index: number
  /** The picture of the folder that is the cover. A `ref`. */
  cover: Entry | null
  /** Counts the requests to play: a change starts the current track, also if it is the same as before. */
  starts: number
}

const NO_TRACKS: readonly Entry[] = ref([])

export const music = proxy<Music>({ tracks: NO_TRACKS, index: 0, cover: null, starts: 0 })

/** The next user must not see what this one plays. */
onUserChange(closeMusic)

/** Plays `entry`, and then the recordings after it among `items`. */
export function playMusic(entry: Entry, items: readonly Entry[]): void {
  const sounds = items.filter(({ type, isDir }) => type === 'audio' && !isDir)
  const index = Math.max(
    0,
    sounds.findIndex(({ path }) => path === entry.path),
  )
  const first =
    sounds.length > UI_LIMITS.musicQueueMax ? Math.max(0, index - UI_LIMITS.musicQueueMaxBefore) : 0
  const tracks =
    sounds.length === 0 ? [entry] : sounds.slice(first, first + UI_LIMITS.musicQueueMax)
  const cover = coverAmong(items)
  assign(music, {
    tracks: ref(tracks),
    index: index - first,
    cover: cover ? ref(cover) : null,
    starts: music.starts + 1,
  })
}

/** Plays the track at an index; an index outside of the queue does nothing. */
export function playTrack(index: number): void {
  if (index < 0 || index >= music.tracks.length) return
  assign(music, { index, starts: music.starts + 1 })
}

export function closeMusic(): void {
  assign(music, { tracks: NO_TRACKS, index: 0, cover: null })
}
