import { describe, expect, test } from 'bun:test'
import { readSoundTags } from '#wire/formats/sound-tags.ts'
import { flacWith, m4aWith, oggWith, withTags } from '../../../support/files/tagged-sounds.ts'

const COVER = Uint8Array.of(1, 2, 0, 4)

describe('readSoundTags', () => {
  test('the ID3 texts and the cover of an MP3 file are read', () => {
    const tags = readSoundTags(withTags({ title: 'Ä song', artist: '王菲', cover: COVER }))
    expect(tags.title).toBe('Ä song')
    expect(tags.artist).toBe('王菲')
    expect(tags.cover?.type).toBe('image/png')
    expect([...(tags.cover?.bytes ?? [])]).toEqual([...COVER])
  })

  test('the comments and the picture of a FLAC file are read', () => {
    const tags = readSoundTags(flacWith(['TITLE=One = two', 'Artist=Somebody', 'ALBUM='], COVER))
    expect(tags).toMatchObject({ title: 'One = two', artist: 'Somebody' })
    expect(tags.album).toBeUndefined()
    expect([...(tags.cover?.bytes ?? [])]).toEqual([...COVER])
  })

  test('the comments of an Ogg file are read', () => {
    const tags = readSoundTags(oggWith(['title=Lied', 'ARTIST=Jemand']))
    expect(tags).toEqual({ title: 'Lied', artist: 'Jemand' })
  })

  test('the texts and the cover of an M4A file are read', () => {
    const tags = readSoundTags(m4aWith('Ä song', 'Somebody', COVER))
    expect(tags).toMatchObject({ title: 'Ä song', artist: 'Somebody' })
    expect(tags.cover?.type).toBe('image/png')
    expect([...(tags.cover?.bytes ?? [])]).toEqual([...COVER])
  })

  test('a cover that is incomplete, or in a format that browsers do not show, is left out', () => {
    const whole = withTags({ title: 'Song', artist: '', cover: new Uint8Array(500) })
    expect(readSoundTags(whole.slice(0, 300))).toEqual({ title: 'Song' })
    const vector = Buffer.from(withTags({ title: 'Song', artist: '', cover: COVER }))
    const at = vector.indexOf('image/png')
    vector.write('image/svg', at)
    expect(readSoundTags(new Uint8Array(vector)).cover).toBeUndefined()
  })

  test('an incomplete or damaged start of a file causes no error', () => {
    for (const bytes of [
      withTags({ title: 'Song', artist: 'Somebody', cover: COVER }),
      flacWith(['TITLE=One'], COVER),
      oggWith(['TITLE=One']),
      m4aWith('One', 'Two', COVER),
    ]) {
      for (let at = 0; at < Math.min(bytes.length, 200); at += 1) {
        readSoundTags(bytes.slice(0, at))
        const changed = bytes.slice()
        changed[at] = 0xff
        readSoundTags(changed)
      }
    }
    expect(readSoundTags(new Uint8Array(0))).toEqual({})
  })
})
