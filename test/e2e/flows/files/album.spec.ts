/** A folder of pictures and films as an album, for users and for visitors of a share. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { exifBlock, withExif } from '../../../support/files/exif.ts'
import { filmFrom, filmHeader } from '../../../support/files/films.ts'
import type { TestServer } from '../../../support/server/server.ts'
import { expect, test } from '../../fixtures.ts'
import { SharePage } from '../../pages/SharePage.ts'

/** Writes four photos of two days, those of the second day with the first names, a film, a text and a PDF. */
async function writeAlbum({ root }: TestServer): Promise<void> {
  const folder = join(root, 'trip')
  mkdirSync(join(folder, 'more'), { recursive: true })
  const days = { 'a.jpg': '02', 'b.jpg': '02', 'c.jpg': '01', 'd.jpg': '01' }
  for (const [name, day] of Object.entries(days)) {
    const background = name < 'c' ? 'teal' : 'coral'
    const picture = sharp({ create: { width: 240, height: 160, channels: 3, background } })
    const block = exifBlock({ main: {}, own: { 36867: `2024:05:${day} 12:00:00` } })
    writeFileSync(join(folder, name), withExif(await picture.jpeg().toBuffer(), block))
  }
  writeFileSync(join(folder, 'film.mp4'), filmHeader(65))
  writeFileSync(join(folder, 'notes.md'), '# Where we were\n\n![first](c.jpg) [map](map.pdf)')
  writeFileSync(join(folder, 'map.pdf'), '%PDF-1.4')
}

/** The distance of a picture from the top of the window, in pixels. */
async function topOf(page: Page, name: string): Promise<number> {
  // The cover of a shared album has the same pictures above.
  return (await page.getByLabel(name, { exact: true }).last().boundingBox())?.y ?? Number.NaN
}

test('the album groups pictures by day, resizes rows, shows the length of films, and has a slideshow @spec-2.16', async ({
  files,
  page,
  server,
}) => {
  await writeAlbum(server)
  await files.open('/trip')
  await files.showAs('Photos')
  const titles = files.grid.getByRole('columnheader')
  await expect(titles.filter({ hasText: '2024' })).toHaveText([
    'Wednesday, 1 May 2024',
    'Thursday, 2 May 2024',
  ])
  await expect(files.tile('film.mp4')).toContainText('1:05')
  const heightOf = async (name: string) => (await files.tile(name).boundingBox())?.height ?? 0
  const before = await heightOf('c.jpg')
  const slider = page.getByRole('slider', { name: 'Picture size' })
  await slider.press('End')
  await expect.poll(() => heightOf('c.jpg')).toBeGreaterThan(before)
  await slider.press('Home')
  await expect.poll(() => heightOf('c.jpg')).toBeLessThan(before)

  await page.getByRole('button', { name: 'Group by date taken' }).press('Enter')
  await expect(titles.filter({ hasText: '2024' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Group by date taken' }).click()

  await page.getByRole('button', { name: 'Slideshow' }).click()
  const show = page.getByRole('dialog', { name: 'Slideshow' })
  await expect(show).toContainText('1 of 5')
  await expect(show.getByRole('img', { name: 'c.jpg' })).toBeVisible()
  // On black in the light theme too.
  await expect(show.locator('.Slideshow__frame')).toHaveCSS('background-color', 'oklch(0 0 0)')
  await page.keyboard.press(' ')
  await expect(show.getByRole('button', { name: 'Play' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(show).toContainText('d.jpg')
  await page.keyboard.press('f')
  await expect(show.getByRole('button', { name: 'Full screen' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await page.keyboard.press('f')
  await expect(show.getByRole('button', { name: 'Full screen' })).toHaveAttribute(
    'aria-pressed',
    'false',
  )
  await page.keyboard.press('End')
  await expect(show).toContainText('5 of 5')
  // A film that cannot be played shows a message, and the buttons stay.
  await expect(show).toContainText('This picture cannot be shown.')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect(show).toBeHidden()
  await expect(files.tile('d.jpg')).toHaveAttribute('aria-selected', 'true')
})

test('Space pauses and resumes a film of the slideshow', async ({ files, page, server }) => {
  mkdirSync(join(server.root, 'trip'))
  writeFileSync(join(server.root, 'trip/film.webm'), await filmFrom(page))
  // On a slow machine the short film would end, and the slideshow with it, before a key is pressed.
  await page.addInitScript(() => {
    const repeat = ({ target }: Event) => {
      if (target instanceof HTMLVideoElement) target.loop = true
    }
    document.addEventListener('play', repeat, true)
  })
  await files.open('/trip')
  await files.showAs('Photos')
  await page.getByRole('button', { name: 'Slideshow' }).click()
  const film = page.getByRole('dialog', { name: 'Slideshow' }).locator('video')
  await expect(film).toHaveJSProperty('paused', false)
  await page.keyboard.press(' ')
  await expect(film).toHaveJSProperty('paused', true)
  await page.keyboard.press(' ')
  await expect(film).toHaveJSProperty('paused', false)
})

test('a visitor opens a shared album, selects pictures, reads texts, and causes no request to other hosts @spec-2.16', async ({
  files,
  server,
  browser,
  admin,
}) => {
  await writeAlbum(server)
  await files.open('/trip')
  const made = await admin.call(
    'POST',
    `${API.share}/trip/`,
    '{"message":"From the boat","showOwner":true}',
  )
  const { hash } = (await made.json()) as Share
  const visitorPage = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  const foreign: string[] = []
  visitorPage.on('request', (request) => {
    const isNet = /^https?:/.test(request.url())
    if (isNet && !request.url().startsWith(server.url)) foreign.push(request.url())
  })
  const share = new SharePage(visitorPage)
  await share.open(`${server.url}/share/${hash}`)
  await expect(visitorPage.getByRole('heading', { level: 2 })).toHaveText([
    'Wednesday, 1 May 2024',
    'Thursday, 2 May 2024',
    /, \d+ \w+ 20\d\d/,
  ])
  await expect(visitorPage.getByText(`Shared by ${server.username}`)).toBeVisible()
  await expect(visitorPage.getByText('From the boat')).toBeVisible()
  expect(await topOf(visitorPage, 'c.jpg')).toBeLessThan(await topOf(visitorPage, 'a.jpg'))
  await expect(share.link('film.mp4')).toContainText('1:05')

  await share.button('Select').click()
  await share.choose('a.jpg')
  await share.choose('film.mp4')
  await expect(share.selection).toContainText('2 selected')
  await share.button('Stop selecting').click()
  await share.button('List').click()
  await expect(share.list.getByRole('link', { name: 'a.jpg' })).toBeVisible()
  await share.button('Gallery').click()

  await share.button('Slideshow').click()
  const show = visitorPage.getByRole('dialog', { name: 'Slideshow' })
  await expect(show.getByRole('img')).toBeVisible()
  await visitorPage.keyboard.press('Escape')

  await share.link('notes.md').click()
  await expect(visitorPage.getByRole('heading', { name: 'Where we were' })).toBeVisible()
  await expect(visitorPage.getByRole('img', { name: 'first' })).toHaveJSProperty(
    'naturalWidth',
    240,
  )
  await visitorPage.getByRole('link', { name: 'map' }).click()
  await expect(share.title).toHaveText('map.pdf')
  await visitorPage.goBack()
  await expect(share.title).toHaveText('notes.md')
  await share.button('Previous').click()
  await expect(share.title).toHaveText('map.pdf')
  expect(foreign).toEqual([])
  await visitorPage.context().close()
})

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`before its scripts are loaded, a share shows a picture where the page shows it later, ${width} px wide`, async ({
    files,
    server,
    browser,
    admin,
  }) => {
    await files.openRoot()
    await files.shows()
    mkdirSync(join(server.root, 'trip'))
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) {
      const picture = sharp({
        create: { width: 1800, height: 1200, channels: 3, background: 'teal' },
      })
      writeFileSync(join(server.root, 'trip', name), await picture.jpeg().toBuffer())
    }
    const address = async (path: string) => {
      const { hash } = (await (await admin.call('POST', `${API.share}${path}`, {})).json()) as Share
      return `${server.url}/share/${hash}`
    }
    const options = {
      viewport: { width, height },
      // Phones have scrollbars that take no space.
      isMobile: width < 500,
      serviceWorkers: 'block',
    } as const
    const context = await browser.newContext(options)
    const withoutScripts = await browser.newContext({ ...options, javaScriptEnabled: false })
    for (const [url, own] of [
      [await address('/trip/'), '.ShareCover__part:first-child .Thumb'],
      [await address('/trip/c.jpg'), '.ImageViewer__picture'],
    ] as const) {
      const page = await context.newPage()
      await page.goto(url)
      // After it is loaded, its small placeholder is gone.
      const shown = page.locator(`${own}:not([src^="data:"])`)
      await expect(shown).toHaveJSProperty('complete', true)
      await expect(page.locator(`${own}[src^="data:"]`)).toHaveCount(0)
      await expect(page.locator('#page-picture')).toHaveCount(0)
      const afterwards = await shown.boundingBox()

      const scriptless = await withoutScripts.newPage()
      const early = scriptless.locator('#page-picture')
      // The first responses have no picture while the server still makes it.
      await expect(async () => {
        await scriptless.goto(url)
        await expect(early).toBeVisible({ timeout: 1000 })
      }).toPass()
      const before = await early.boundingBox()
      for (const side of ['x', 'y', 'width'] as const) {
        expect(Math.abs((before?.[side] ?? 0) - (afterwards?.[side] ?? 0))).toBeLessThanOrEqual(2)
      }
    }
    await context.close()
    await withoutScripts.close()
  })
}
