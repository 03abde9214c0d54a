/** Entries of files and folders: subtitles, resolution and type (docs/api.md 8.1, 8.2, 8.6). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { FileEntry, Listing } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import type { Client } from '../support/server/client.ts'
import { signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  const films = join(app.root, 'anna/films')
  mkdirSync(join(films, 'Subs/Alien'), { recursive: true })
  mkdirSync(join(films, 'other'))
  for (const name of [
    'Alien.mkv',
    'Brazil.mp4',
    'Alien.en.srt',
    'Alien.VTT',
    'Brazil.txt',
    'Zardoz.srt',
  ]) {
    writeFileSync(join(films, name), 'x')
  }
  for (const name of ['2_English.srt', 'readme.txt', 'Alien/3_German.ass', 'Alien/notes.md']) {
    writeFileSync(join(films, 'Subs', name), 'x')
  }
  writeFileSync(join(films, 'other/Alien.srt'), 'x')
  const picture = sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
  const kinds = join(app.root, 'anna/kinds')
  mkdirSync(kinds)
  await picture.clone().withMetadata({ orientation: 6 }).jpeg().toFile(join(kinds, 'turned.jpg'))
  await picture.clone().png().toFile(join(kinds, 'flat.png'))
  writeFileSync(join(kinds, 'broken.png'), 'no picture')
  writeFileSync(join(kinds, 'plain.odd'), 'hello')
  writeFileSync(join(kinds, 'bytes.odd'), new Uint8Array([0, 1, 2, 255]))
})
afterAll(() => app.stop())

const find = async <T>(who: Client, path: string): Promise<T> =>
  (await who.call('GET', `${API.resources}${path}`)).json()
const itemsOf = async (path: string, who = app.anna) =>
  Object.fromEntries((await find<Listing>(who, path)).items.map((item) => [item.name, item]))

describe('subtitles', () => {
  const ALIEN = [
    '/films/Alien.VTT',
    '/films/Alien.en.srt',
    '/films/Subs/2_English.srt',
    '/films/Subs/Alien/3_German.ass',
  ]

  test('the entry of a video has the subtitles beside it and in folders of subtitles @spec-7.12', async () => {
    const items = await itemsOf('/films/')
    expect(items['Alien.mkv']?.subtitles).toEqual(ALIEN)
    expect(items['Brazil.mp4']?.subtitles).toEqual(['/films/Subs/2_English.srt'])
    expect(items['Brazil.txt']).not.toHaveProperty('subtitles')
    expect((await find<FileEntry>(app.anna, '/films/Alien.mkv')).subtitles).toEqual(ALIEN)
  })

  test('subtitles that a rule denies are left out @spec-11.19', async () => {
    const limited = await app.person('limited', '--scope', '/anna')
    await app.runCommand('rules', 'add', '/films/Subs', '--user', 'limited')
    await app.runCommand('rules', 'add', '/films/Alien.VTT', '--user', 'limited')
    const again = await signIn(app.url, 'limited', 'correct horse battery').catch(() => limited)
    const { subtitles } = await find<FileEntry>(again, '/films/Alien.mkv')
    expect(subtitles).toEqual(['/films/Alien.en.srt'])
  })
})

describe('resolution', () => {
  test('the resolution of a picture is that of the picture as it is shown @spec-7.12', async () => {
    const size = async (name: string) =>
      (await find<FileEntry>(app.anna, `/kinds/${name}`)).resolution
    expect(await size('flat.png')).toEqual({ width: 30, height: 20 })
    expect(await size('turned.jpg')).toEqual({ width: 20, height: 30 })
    expect(await size('broken.png')).toBeUndefined()
    expect(await size('plain.odd')).toBeUndefined()
  })
})

describe('type', () => {
  test('the type of a file with an unknown extension is detected from its content', async () => {
    const items = await itemsOf('/kinds/')
    expect(items['plain.odd']?.type).toBe('text')
    expect(items['bytes.odd']?.type).toBe('blob')
    expect(items['broken.png']?.type).toBe('image')
  })

  test('the type is not detected from the content if the operator disables this', async () => {
    const server = await startServer({
      root: app.root,
      args: ['--type-detection-by-header=false'],
    })
    const admin = await signIn(server.url, 'admin', server.password)
    expect((await itemsOf('/anna/kinds/', admin))['plain.odd']?.type).toBe('blob')
    await server.stop()
  })
})

test('with previews disabled, a preview is the picture itself @spec-7.24', async () => {
  const args = ['--disableThumbnails', '--resize-preview=false']
  const server = await startServer({ root: app.root, args })
  const admin = await signIn(server.url, 'admin', server.password)
  for (const size of ['thumb', 'big']) {
    const answer = await admin.call('GET', `${API.preview}/${size}/anna/kinds/flat.png?inline=true`)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect((await sharp(await answer.bytes()).metadata()).width).toBe(30)
  }
  await server.stop()
})
