/** Subtitles inside of films, read with ffmpeg. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const list = async (name: string, who = app.anna) => {
  const response = await who.call('GET', `${API.filmSubtitles}/${encodeURIComponent(name)}`)
  return response.status === 200 ? ((await response.json()) as { items: unknown[] }).items : []
}
const text = (name: string, track: number | string, who = app.anna) =>
  who.call('GET', `${API.subtitle}/${encodeURIComponent(name)}?track=${track}`)

beforeAll(async () => {
  app = await openTestApp()
  const cue = (words: string) => `1\n00:00:00,500 --> 00:00:01,500\n${words}\n`
  writeFileSync(disk('en.srt'), cue('Good <i>morning</i>'))
  writeFileSync(disk('de.srt'), cue('Guten Morgen'))
  const film = ['-f', 'lavfi', '-i', 'color=red:size=64x64:rate=5:duration=2']
  const inputs = [...film, '-i', disk('en.srt'), '-i', disk('de.srt')]
  const maps = ['-map', '0', '-map', '1', '-map', '2']
  const languages = ['-metadata:s:s:0', 'language=eng', '-metadata:s:s:1', 'language=ger']
  const made = [...inputs, ...maps, '-c:v', 'mpeg4', ...languages]
  const ffmpeg = (...args: string[]) =>
    execFileSync('ffmpeg', ['-loglevel', 'error', '-y', ...args], { stdio: 'pipe' })
  ffmpeg(...made, '-metadata:s:s:0', 'title=For the\ndeaf', '-c:s', 'ass', disk('-a: film.mkv'))
  ffmpeg(...made, '-c:s', 'mov_text', disk('film.mp4'))
  ffmpeg(...film, '-c:v', 'mpeg4', disk('plain.mp4'))
  writeFileSync(disk('broken.mkv'), 'no film')
}, 60_000)
afterAll(() => app.stop())

test('a film lists the subtitles inside, and sends each as WebVTT @spec-7.28', async () => {
  expect(await list('-a: film.mkv')).toEqual([
    { index: 1, language: 'en', title: 'For the deaf' },
    { index: 2, language: 'de' },
  ])
  const mkv = await text('-a: film.mkv', 1)
  expect(mkv.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
  expect(await mkv.text()).toMatch(/^WEBVTT\n\n00:00\.500 --> 00:01\.500\nGood <i>morning<\/i>\n/)
  expect(await list('film.mp4')).toEqual([
    { index: 1, language: 'en' },
    { index: 2, language: 'de' },
  ])
  // The second response comes from the cache.
  for (const _ of [1, 2]) expect(await (await text('film.mp4', 2)).text()).toContain('Guten Morgen')
}, 60_000)

test('other files have none, and other tracks are not sent', async () => {
  for (const name of ['plain.mp4', 'broken.mkv', 'en.srt']) expect(await list(name)).toEqual([])
  expect(await outcome(text('film.mp4', 0))).toBe('404 notFound')
  expect(await outcome(text('film.mp4', 'a'))).toBe('400 badRequest')
  expect(await outcome(text('en.srt', 0))).toBe('404 notFound')
  expect(await outcome(text('missing.mkv', 1))).toBe('404 notFound')
}, 60_000)

test('subtitles inside are only for those who may download, and for no film elsewhere', async () => {
  const reader = await app.withoutDownload()
  expect(await outcome(text('film.mp4', 1, reader))).toBe('403 forbidden')
  expect(await outcome(reader.call('GET', `${API.filmSubtitles}/film.mp4`))).toBe('403 forbidden')
  mkdirSync(join(app.root, 'other'))
  symlinkSync('../other/film.mp4', disk('link.mp4'))
  execFileSync('cp', [disk('film.mp4'), join(app.root, 'other/film.mp4')])
  expect(await outcome(text('link.mp4', 1))).toBe('403 outside')
  // A playlist names another file.
  writeFileSync(disk('list.mp4'), `ffconcat version 1.0\nfile ${disk('film.mp4')}\n`)
  expect(await list('list.mp4')).toEqual([])
}, 60_000)

test('visitors have the subtitles inside of a shared film, with the password', async () => {
  const made = await app.anna.call('POST', `${API.share}/film.mp4`, { password: 'open sesame 1' })
  const { hash }: { hash: string } = await made.json()
  const call = (path: string) => app.anonymous.call('GET', path)
  expect(await outcome(call(`${API.publicFilmSubtitles}/${hash}`))).toBe('401 unauthenticated')
  expect(await outcome(call(`${API.publicSubtitle}/${hash}?track=1`))).toBe('401 unauthenticated')
  const opened = await app.anonymous.call('GET', `${API.publicShare}/${hash}`, undefined, {
    'X-SHARE-PASSWORD': encodeURIComponent('open sesame 1'),
  })
  const { token }: { token: string } = await opened.json()
  const listed = await call(`${API.publicFilmSubtitles}/${hash}?token=${token}`)
  expect(((await listed.json()) as { items: unknown[] }).items).toHaveLength(2)
  const sent = await call(`${API.publicSubtitle}/${hash}?track=1&token=${token}`)
  expect(await sent.text()).toContain('Good')
}, 60_000)
