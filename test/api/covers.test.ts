/** Previews of films and songs, made with ffmpeg. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const ffmpeg = (...args: string[]) =>
  execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...args], { stdio: 'pipe' })
const preview = (name: string, size = 'thumb', who = app.anna) =>
  who.call('GET', `${API.preview}/${size}/${encodeURIComponent(name)}`)

beforeAll(async () => {
  app = await openTestApp()
  const film = ['-f', 'lavfi', '-i', 'color=red:size=320x180:rate=5:duration=4']
  ffmpeg(...film, '-c:v', 'mpeg4', disk('film.mp4'))
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'color=blue:size=64x64:rate=5:duration=0.4',
    '-c:v',
    'mpeg4',
    disk('-short: film.mkv'),
  )
  await sharp({ create: { width: 90, height: 90, channels: 3, background: 'lime' } })
    .jpeg()
    .toFile(disk('cover.jpg'))
  const tone = ['-f', 'lavfi', '-i', 'sine=duration=1']
  const cover = [
    '-i',
    disk('cover.jpg'),
    '-map',
    '0',
    '-map',
    '1',
    '-c:v',
    'copy',
    '-disposition:v',
    'attached_pic',
  ]
  ffmpeg(...tone, ...cover, disk('song.flac'))
  ffmpeg(...tone, disk('plain.wav'))
  writeFileSync(disk('broken.mp4'), 'no film')
})
afterAll(() => app.stop())

async function colour(answer: Response): Promise<string> {
  expect(answer.status).toBe(200)
  const { dominant } = await sharp(await answer.bytes()).stats()
  const { r, g, b } = dominant
  return r > 150 ? 'red' : g > 150 ? 'green' : b > 150 ? 'blue' : 'none'
}

test('a film shows a frame of it, a song its cover, in both sizes', async () => {
  expect(await colour(await preview('film.mp4'))).toBe('red')
  expect(await colour(await preview('film.mp4', 'big'))).toBe('red')
  expect(await colour(await preview('-short: film.mkv'))).toBe('blue')
  expect(await colour(await preview('song.flac'))).toBe('green')
}, 60_000)

test('a recording without a cover is 204, and a film that cannot be read is 422', async () => {
  // The second response comes from the cache.
  for (const _ of [1, 2]) expect(await outcome(preview('plain.wav'))).toBe('204')
  expect(await outcome(preview('broken.mp4'))).toBe('422 unprocessable')
}, 60_000)

test('covers are only for users who may download', async () => {
  const reader = await app.withoutDownload()
  expect(await outcome(preview('film.mp4', 'thumb', reader))).toBe('403 forbidden')
})

test('a film that is a playlist of other files shows none of them', async () => {
  mkdirSync(disk('lists'))
  writeFileSync(disk('lists/hls.mp4'), `#EXTM3U\n#EXTINF:1,\n${disk('film.mp4')}\n#EXT-X-ENDLIST\n`)
  writeFileSync(disk('lists/concat.mp4'), `ffconcat version 1.0\nfile ${disk('film.mp4')}\n`)
  for (const name of ['hls.mp4', 'concat.mp4']) {
    const answer = app.anna.call('GET', `${API.preview}/thumb/lists/${name}`)
    expect(await outcome(answer)).toBe('422 unprocessable')
  }
}, 60_000)
