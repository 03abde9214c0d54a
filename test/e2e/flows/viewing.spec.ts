/** Viewers: films, deleting from a viewer, and the ways back. */

import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { filmFrom } from '../../support/films.ts'
import { waveOf } from '../../support/recordings.ts'
import { test as base, expect } from '../fixtures.ts'
import { OpenedFile } from '../pages/OpenedFile.ts'

const test = base.extend<{ opened: OpenedFile }>({
  opened: async ({ page, files }, use) => {
    await expect(files.status).toBeVisible()
    await use(new OpenedFile(page))
  },
})

test.describe('a film', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('a paused film keeps its controls visible', async ({ opened, page, server }) => {
    writeFileSync(join(server.root, 'film.webm'), await filmFrom(page))
    await page.clock.install()
    await opened.open('/film.webm')
    const film = opened.player('film.webm')
    await expect(film).toBeFocused()
    await page.clock.runFor(2 * UI_LIMITS.viewerIdleMs)
    await expect(opened.around).toHaveCSS('opacity', '1')
    await film.evaluate((player: HTMLVideoElement) => {
      player.loop = true
      return player.play()
    })
    await page.clock.runFor(2 * UI_LIMITS.viewerIdleMs)
    await expect(opened.around).toHaveCSS('opacity', '0')
    await film.evaluate((player: HTMLVideoElement) => player.pause())
    await expect(opened.around).toHaveCSS('opacity', '1')
    await page.clock.runFor(2 * UI_LIMITS.viewerIdleMs)
    await expect(opened.around).toHaveCSS('opacity', '1')
  })

  test('a film opened by mouse shows no focus ring until a key is pressed', async ({
    files,
    opened,
    page,
    server,
  }) => {
    writeFileSync(join(server.root, 'film.webm'), await filmFrom(page))
    await page.reload()
    await files.row('film.webm').dblclick()
    const film = opened.player('film.webm')
    await expect(film).toBeFocused()
    await expect(film).toHaveCSS('outline-style', 'none')
    await page.keyboard.press('m')
    await expect(film).toHaveCSS('outline-style', 'solid')
  })

  test('a film has the size of its picture', async ({ opened, page, server }) => {
    writeFileSync(join(server.root, 'film.webm'), await filmFrom(page))
    await opened.open('/film.webm')
    const film = opened.player('film.webm')
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(size)
      const gap = () =>
        film.evaluate((player: HTMLVideoElement) => {
          const { width, height } = player.getBoundingClientRect()
          return Math.abs(width / height - player.videoWidth / player.videoHeight)
        })
      await expect.poll(gap).toBeLessThan(0.01)
      const box = await film.boundingBox()
      expect(box?.width).toBeGreaterThan(size.width / 2)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(size.width)
    }
  })
})

test('after a deletion the next file is shown, and after the last the folder', async ({
  files,
  opened,
  page,
  server,
}) => {
  for (const name of ['a.wav', 'b.wav', 'c.wav']) writeFileSync(join(server.root, name), waveOf(1))
  await page.reload()
  await files.row('b.wav').dblclick()
  for (const [gone, follower] of [
    ['b.wav', 'c.wav'],
    ['c.wav', 'a.wav'],
  ] as const) {
    await opened.shows(gone)
    await opened.action('Delete…').click()
    await opened.prompt.button('Delete').click()
    await opened.shows(follower)
    expect(existsSync(join(server.root, gone))).toBe(false)
  }
  await opened.action('Delete…').click()
  await opened.prompt.button('Delete').click()
  await expect(page.getByText('This folder is empty')).toBeVisible()
})

test('back does not reopen a closed file', async ({ files, opened, page, server }) => {
  mkdirSync(join(server.root, 'in'))
  for (const name of ['a.wav', 'b.wav']) writeFileSync(join(server.root, 'in', name), waveOf(1))
  await page.reload()
  await files.row('in').dblclick()
  await files.row('a.wav').dblclick()
  await opened.shows('a.wav')
  await opened.turn('Next').click()
  await opened.shows('b.wav')
  await opened.close()
  await expect(files.row('b.wav')).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await files.shows('in')

  // The address of a file that was typed has no folder to go back to.
  await opened.open('/in/a.wav')
  await opened.close()
  await files.shows('a.wav', 'b.wav')
  await page.goBack()
  await files.shows('in')
})

test('a broken link offers no download', async ({ files, opened, page, server }) => {
  symlinkSync('gone.txt', join(server.root, 'broken.txt'))
  symlinkSync('gone.jpg', join(server.root, 'broken.jpg'))
  await page.reload()
  await files.row('broken.txt').click({ button: 'right' })
  await expect(files.menuItem('Rename…')).toBeVisible()
  await expect(files.menuItem('Download')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(files.action('Download')).toBeHidden()
  await opened.open('/broken.jpg')
  await expect(page.getByText('This link is broken')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download' })).toBeHidden()
})

test('the storage use is requested once for the files of a folder', async ({
  files,
  opened,
  page,
  server,
}) => {
  for (const name of ['a.wav', 'b.wav']) writeFileSync(join(server.root, name), waveOf(1))
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/usage')) asked.push(pathname)
  })
  await page.reload()
  await files.row('a.wav').dblclick()
  await opened.shows('a.wav')
  await opened.turn('Next').click()
  await opened.shows('b.wav')
  await opened.close()
  await files.shows('a.wav', 'b.wav')
  expect(asked).toEqual(['/api/usage/'])
})
