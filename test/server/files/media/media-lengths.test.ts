/** Films and recordings that ffmpeg makes, and what is left of them when they are damaged. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { FileByteReader } from '#server/files/media/byte-reader.ts'
import { filmFacts } from '#server/files/media/film-facts.ts'
import { soundFacts } from '#server/files/media/sound-facts.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'

const folder = temporaryFolder()
const at = (name: string) => join(folder.path, name)
const ffmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...args])
const film = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=10:duration=3', '-c:v', 'mpeg4']
const tone = ['-f', 'lavfi', '-i', 'sine=duration=3']

let reads = 0
function readerOf(bytes: Uint8Array): FileByteReader {
  reads = 0
  return new FileByteReader(bytes.length, async (first, last) => {
    reads += 1
    return bytes.subarray(first, last + 1)
  })
}

beforeAll(() => {
  ffmpeg(...film, '-metadata', 'creation_time=2026-05-01T12:00:00Z', at('end.mp4'))
  ffmpeg(...film, '-movflags', '+faststart', at('start.mov'))
  ffmpeg(...film, at('film.mkv'))
  ffmpeg(...film, at('film.avi'))
  ffmpeg(...tone, at('tone.flac'))
  ffmpeg(...tone, at('tone.wav'))
  ffmpeg(...tone, '-c:a', 'libmp3lame', at('tone.mp3'))
  ffmpeg(...tone, '-c:a', 'aac', at('tone.m4a'))
})
afterAll(() => folder.remove())

test('length and resolution of films are read, wherever the index is in the file', async () => {
  for (const name of ['end.mp4', 'start.mov', 'film.mkv', 'film.avi']) {
    const facts = await filmFacts(readerOf(readFileSync(at(name))))
    const { seconds = 0, width, height } = facts
    expect([name, Math.round(seconds), width, height]).toEqual([name, 3, 320, 180])
  }
  const { taken } = await filmFacts(readerOf(readFileSync(at('end.mp4'))))
  expect(taken).toBe('2026-05-01T12:00:00Z')
})

test('the length of recordings is read', async () => {
  for (const name of ['tone.flac', 'tone.wav', 'tone.mp3', 'tone.m4a']) {
    const { seconds = 0 } = await soundFacts(readerOf(readFileSync(at(name))))
    expect([name, Math.round(seconds)]).toEqual([name, 3])
  }
})

test('a film without an index has no length and no resolution', async () => {
  const whole = readFileSync(at('end.mp4'))
  expect(await filmFacts(readerOf(whole.subarray(0, whole.indexOf('moov') - 4)))).toEqual({})
  expect(await filmFacts(readerOf(Buffer.alloc(0)))).toEqual({})
  expect(await soundFacts(readerOf(Buffer.from('no sound')))).toEqual({})
})

test('reading a film takes a limited number of reads, and no content causes an error @limit-66', async () => {
  const box = Buffer.from([0, 1, 0, 0, ...Buffer.from('free')])
  const boxes = Buffer.alloc(64 * 65_536)
  for (let start = 0; start < boxes.length; start += 65_536) box.copy(boxes, start)
  expect(await filmFacts(readerOf(boxes))).toEqual({})
  expect(reads).toBeLessThanOrEqual(24)
  const samples = ['end.mp4', 'film.mkv', 'film.avi', 'tone.mp3', 'tone.wav', 'tone.flac']
  const all = samples.map((name) => readFileSync(at(name)).subarray(0, 4096))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...all),
      fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 20 }),
      fc.nat(4096),
      async (sample, changes, length) => {
        const bytes = Buffer.from(sample)
        for (const [offset, value] of changes) bytes[offset] = value
        await soundFacts(readerOf(bytes.subarray(0, length)))
        await filmFacts(readerOf(bytes.subarray(0, length)))
      },
    ),
    { numRuns: 400 },
  )
})
