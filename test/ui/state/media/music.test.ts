import { afterEach, describe, expect, test } from 'bun:test'
import '../../browser.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { closeMusic, music, playMusic, playTrack } from '#ui/state/media/music.ts'
import { entry } from '../../entries.ts'

afterEach(closeMusic)

const names = () => music.tracks.map(({ name }) => name)

describe('the music queue', () => {
  test('the music queue has the recordings of the folder in their order, and starts at the chosen one', () => {
    const items = ['b.mp3', 'notes.txt', 'a.mp3', 'c.mp3'].map((name) =>
      entry(name, { type: name.endsWith('mp3') ? 'audio' : 'text' }),
    )
    const chosen = items[2]
    if (!chosen) throw new Error('no entry')
    playMusic(chosen, items)
    expect(names()).toEqual(['b.mp3', 'a.mp3', 'c.mp3'])
    expect(music.index).toBe(1)
  })

  test('the music queue takes the cover of the folder', () => {
    const song = entry('a.mp3', { type: 'audio' })
    playMusic(song, [
      song,
      entry('x.jpg', { type: 'image' }),
      entry('Cover.PNG', { type: 'image' }),
    ])
    expect(music.cover?.name).toBe('Cover.PNG')
  })

  test('the music queue of a large folder is cut around the chosen file', () => {
    const items = Array.from({ length: 2000 }, (_, at) => entry(`${at}.mp3`, { type: 'audio' }))
    const chosen = items[1000]
    if (!chosen) throw new Error('no entry')
    playMusic(chosen, items)
    expect(music.tracks.length).toBe(UI_LIMITS.musicQueueMax)
    expect(music.tracks[music.index]?.name).toBe('1000.mp3')
  })

  test('the music queue does not play a track before the first or after the last', () => {
    const song = entry('a.mp3', { type: 'audio' })
    playMusic(song, [song])
    playTrack(1)
    playTrack(-1)
    expect(music.index).toBe(0)
  })
})
