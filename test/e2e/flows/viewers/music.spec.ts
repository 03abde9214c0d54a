/** The music queue, which plays on every page. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { filmFrom } from '../../../support/files/films.ts'
import { waveOf } from '../../../support/files/recordings.ts'
import { flacWith, withTags } from '../../../support/files/tagged-sounds.ts'
import type { TestServer } from '../../../support/server/server.ts'
import { test as base, expect } from '../../fixtures.ts'
import { MusicBar } from '../../pages/MusicBar.ts'
import { OpenedFile } from '../../pages/OpenedFile.ts'
import { Sidebar } from '../../pages/Sidebar.ts'

const test = base.extend<{ music: MusicBar }>({
  music: async ({ page }, use) => use(new MusicBar(page)),
})

async function writeAlbum(server: TestServer, page: Page): Promise<void> {
  mkdirSync(join(server.root, 'album'))
  mkdirSync(join(server.root, 'other'))
  const put = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(server.root, 'album', name), content)
  for (const name of ['a.wav', 'b.wav', 'c.wav']) put(name, waveOf(90))
  put('notes.txt', 'words')
  const dot = { create: { width: 60, height: 60, channels: 3 as const, background: 'teal' } }
  put('cover.png', await sharp(dot).png().toBuffer())
  await page.goto('./files/album/')
}

test('a recording opens in the music bar, which continues playing on other pages @spec-2.31', async ({
  files,
  music,
  page,
  server,
}) => {
  await writeAlbum(server, page)
  await files.row('b.wav').dblclick()
  await expect(music.title).toHaveText('b.wav')
  await expect.poll(() => music.isPlaying()).toBe(true)
  await expect(page).toHaveURL(/\/files\/album\/$/)
  await expect(music.bar.locator('img')).toHaveAttribute(
    'src',
    /\/api\/preview\/thumb\/album\/cover/,
  )
  const metadata = () => page.evaluate(() => navigator.mediaSession.metadata?.title)
  await expect.poll(metadata).toBe('b.wav')

  const sidebar = new Sidebar(page)
  await sidebar.link('My files').click()
  await files.row('other').dblclick()
  await expect(page).toHaveURL(/\/files\/other\/$/)
  await sidebar.link('Settings').click()
  await expect(page.getByRole('heading', { name: 'Profile' }).first()).toBeVisible()
  await expect(music.title).toHaveText('b.wav')
  expect(await music.isPlaying()).toBe(true)

  // The title opens the folder, with the file selected.
  await music.title.click()
  await expect(files.row('b.wav')).toHaveAttribute('aria-selected', 'true')
  await music.button('Close').click()
  await expect(music.bar).toBeHidden()
})

test('the queue has the recordings of the folder, and steps through them @spec-2.31', async ({
  files,
  music,
  page,
  server,
}) => {
  await writeAlbum(server, page)
  await files.row('b.wav').dblclick()
  await expect(music.title).toHaveText('b.wav')
  await music.button('Queue').click()
  await expect(music.queue.getByRole('button')).toHaveText(['1a.wav', 'b.wav', '3c.wav'])
  await expect(music.queue.getByRole('button', { name: 'b.wav' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(music.queue).toBeHidden()

  await music.button('Next').click()
  await expect(music.title).toHaveText('c.wav')
  await expect(music.button('Next')).toBeDisabled()
  await music.button('Previous').click()
  await expect(music.title).toHaveText('b.wav')
  // At the end of a recording the next one follows.
  await expect
    .poll(() => music.player.evaluate((player: HTMLMediaElement) => player.duration))
    .toBe(90)
  await music.player.evaluate((player: HTMLMediaElement) => {
    player.currentTime = 89.9
  })
  await expect(music.title).toHaveText('c.wav')
  await expect.poll(() => music.isPlaying()).toBe(true)
  // The speed stays.
  await music.bar.getByRole('combobox', { name: 'Speed' }).selectOption('1.5×')
  await music.button('Previous').click()
  await expect(music.title).toHaveText('b.wav')
  await expect(music.player).toHaveJSProperty('playbackRate', 1.5)
})

test('a play key that is pressed twice plays, and a pause key pauses', async ({
  files,
  music,
  page,
  server,
}) => {
  await files.openRoot()
  // Chromium calls the handlers only for keys of a real device.
  await page.addInitScript(() => {
    const handlers = new Map<string, MediaSessionActionHandler | null>()
    navigator.mediaSession.setActionHandler = (action, handler) => {
      handlers.set(action, handler)
    }
    addEventListener('media-key', (event) => {
      const action = (event as CustomEvent<MediaSessionAction>).detail
      handlers.get(action)?.({ action })
    })
  })
  const press = (detail: string) =>
    page.evaluate((detail) => dispatchEvent(new CustomEvent('media-key', { detail })), detail)
  await writeAlbum(server, page)
  await files.row('a.wav').dblclick()
  await expect.poll(() => music.isPlaying()).toBe(true)
  await press('play')
  expect(await music.isPlaying()).toBe(true)
  await press('pause')
  await press('pause')
  expect(await music.isPlaying()).toBe(false)
  await press('play')
  await expect.poll(() => music.isPlaying()).toBe(true)
})

test('the music bar works with the keyboard @spec-2.31', async ({ files, music, page, server }) => {
  await writeAlbum(server, page)
  await files.row('a.wav').dblclick()
  await expect.poll(() => music.isPlaying()).toBe(true)
  await music.button('Pause').focus()
  await page.keyboard.press('Space')
  await expect.poll(() => music.isPlaying()).toBe(false)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => music.second()).toBeGreaterThanOrEqual(20)
  await expect(music.slider('Position')).toHaveAttribute('aria-valuetext', /^0:2\d of 1:30$/)
  await music.slider('Position').focus()
  await page.keyboard.press('Home')
  await expect.poll(() => music.second()).toBe(0)
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => music.second()).toBe(10)
  await music.slider('Volume').focus()
  await page.keyboard.press('ArrowLeft')
  await expect(music.player).toHaveJSProperty('volume', 0.95)
  await page.keyboard.press('m')
  await expect(music.button('Mute')).toHaveAttribute('aria-pressed', 'true')
})

test('only one player plays: a film pauses the music, and the music the film @spec-2.31', async ({
  files,
  music,
  page,
  server,
}) => {
  await writeAlbum(server, page)
  writeFileSync(join(server.root, 'album', 'film.webm'), await filmFrom(page))
  await files.open('/album')
  await files.row('a.wav').dblclick()
  await expect.poll(() => music.isPlaying()).toBe(true)
  await files.row('film.webm').dblclick()
  const opened = new OpenedFile(page)
  const film = opened.player('film.webm')
  await film.evaluate((player: HTMLVideoElement) => {
    player.loop = true
  })
  await opened.playerFrame('film.webm').getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => music.isPlaying()).toBe(false)
  await music.button('Play').click()
  await expect(film).toHaveJSProperty('paused', true)
})

test('the bar shows title and artist from the tags, and skips a file that cannot be played @spec-2.31', async ({
  files,
  music,
  page,
  server,
}) => {
  await writeAlbum(server, page)
  const dot = { create: { width: 9, height: 9, channels: 3 as const, background: 'red' } }
  const cover = await sharp(dot).png().toBuffer()
  const broken = flacWith(['TITLE=Nachtlied', 'ARTIST=Somebody'], cover)
  writeFileSync(join(server.root, 'other', 'x.flac'), broken)
  await page.goto('./files/other/')
  await files.row('x.flac').dblclick()
  await expect(music.title).toHaveText('Nachtlied')
  await expect(music.bar.locator('img')).toHaveAttribute('src', /^blob:/)
  await expect(music.bar.getByRole('alert')).toHaveText(
    'This browser cannot play this audio format.',
  )

  writeFileSync(join(server.root, 'other', 'y.wav'), waveOf(90))
  await page.reload()
  await files.row('x.flac').dblclick()
  await expect(music.title).toHaveText('y.wav')
  await expect.poll(() => music.isPlaying()).toBe(true)
})

test('Quick Look and the tile of a recording show its cover, title and artist', async ({
  files,
  page,
  server,
}) => {
  const dot = { create: { width: 300, height: 300, channels: 3 as const, background: 'red' } }
  const cover = await sharp(dot).png().toBuffer()
  const tags = { title: 'Nachtlied', artist: 'Somebody', cover }
  writeFileSync(join(server.root, 'song.mp3'), withTags(tags))
  await files.openRoot()
  await expect(files.thumbnails).toHaveCount(1)
  await files.select('song.mp3')
  await page.keyboard.press('Space')
  const look = page.getByRole('dialog', { name: 'Quick look at song.mp3' })
  await expect(look.getByRole('heading', { name: 'Nachtlied' })).toBeVisible()
  await expect(look).toContainText('Somebody')
  await expect(look.locator('.AudioPlayer img')).toHaveAttribute('src', /^blob:/)
})

test('a recording resumes at its last position @spec-2.31', async ({
  files,
  music,
  page,
  server,
}) => {
  await writeAlbum(server, page)
  await files.row('a.wav').dblclick()
  await music.button('Pause').click()
  await music.slider('Position').fill('40')
  await expect.poll(() => music.second()).toBe(40)
  await page.reload()
  await expect(music.bar).toBeHidden()
  await files.row('a.wav').dblclick()
  await expect.poll(() => music.second()).toBeGreaterThanOrEqual(40)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the music bar and the “+” button do not cover each other @spec-2.31', async ({
    files,
    music,
    page,
    server,
  }) => {
    await files.openRoot()
    await writeAlbum(server, page)
    await files.row('a.wav').tap()
    await expect(music.bar).toBeVisible()
    const bar = await music.bar.boundingBox()
    const add = await page.getByRole('button', { name: 'Add', exact: true }).boundingBox()
    expect((add?.y ?? 0) + (add?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
    for (const name of ['Previous', 'Pause', 'Next', 'Queue', 'Close']) {
      await expect(music.button(name)).toBeInViewport({ ratio: 1 })
    }
  })
})
