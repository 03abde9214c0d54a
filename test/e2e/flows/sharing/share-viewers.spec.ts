/** A visitor of a share has the same viewers as a user: in the whole window, with the same gestures and keys. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright/test'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { bookOf } from '../../../support/files/books.ts'
import { filmFrom, writeFilm } from '../../../support/files/films.ts'
import { withTags } from '../../../support/files/tagged-sounds.ts'
import type { Client } from '../../../support/server/client.ts'
import type { TestServer } from '../../../support/server/server.ts'
import { expect, test } from '../../fixtures.ts'
import { Finger } from '../../pages/Finger.ts'
import { SharePage } from '../../pages/SharePage.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const
const BLACK = 'oklch(0 0 0)'

/** Four pictures, in an order by name. */
async function writeAlbum(server: TestServer): Promise<void> {
  mkdirSync(join(server.root, 'trip'))
  for (const [name, background] of [
    ['a.jpg', 'teal'],
    ['b.jpg', 'gold'],
    ['c.jpg', 'navy'],
    ['d.jpg', 'brown'],
  ] as const) {
    const create = { width: 600, height: 400, channels: 3, background } as const
    writeFileSync(join(server.root, 'trip', name), await sharp({ create }).jpeg().toBuffer())
  }
}

/** Opens the page of a share as a visitor, and collects the requests that only users may make. */
async function visit(
  { browser, server, admin }: { browser: Browser; server: TestServer; admin: Client },
  path: string,
  options: BrowserContextOptions = {},
): Promise<{ share: SharePage; page: Page; forbidden: string[] }> {
  const made = await admin.call('POST', `${API.share}${path}`, {})
  const { hash } = (await made.json()) as Share
  const context = await browser.newContext({ ...options, baseURL: `${server.url}/` })
  const page = await context.newPage()
  const forbidden: string[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/api/') && !pathname.startsWith('/api/public/')) {
      forbidden.push(pathname)
    }
  })
  const share = new SharePage(page)
  await share.open(`${server.url}/share/${hash}`)
  return { share, page, forbidden }
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`on a phone a picture of an album opens black, and follows the finger, ${colorScheme}`, async ({
    files,
    browser,
    server,
    admin,
  }) => {
    await files.openRoot()
    await writeAlbum(server)
    const tools = { browser, server, admin }
    const { share, page } = await visit(tools, '/trip/', { ...PHONE, colorScheme })
    await page.locator('section').getByRole('link', { name: 'b.jpg' }).tap()
    await expect(share.title).toHaveText('b.jpg')
    const stage = share.viewer
    await expect(stage).toHaveCSS('background-color', BLACK)
    await expect(share.bar).toContainText('2 of 4')
    await expect(share.bar).toContainText('600 × 400')
    const box = await stage.boundingBox()
    expect(box).toMatchObject({ x: 0, width: 390 })

    const left = async (name: string) =>
      Math.round((await share.picture(name).boundingBox())?.x ?? Number.NaN)
    await expect.poll(() => left('b.jpg')).toBe(0)
    const finger = new Finger(page)
    await finger.down(share.picture('b.jpg'))
    for (let step = 0; step < 4; step += 1) await finger.move(-40, 0)
    await expect.poll(() => left('b.jpg')).toBe(-160)
    await finger.up()
    await expect.poll(() => left('c.jpg')).toBe(0)
    await expect(share.bar).toContainText('3 of 4')

    const saved = page.waitForEvent('download')
    await share.button('Download').tap()
    expect((await saved).suggestedFilename()).toBe('c.jpg')
    await share.button('Close').tap()
    await expect(share.title).toHaveText('trip')
    await expect(page.locator('section').getByRole('link', { name: 'c.jpg' })).toBeFocused()
  })
}

test('the cover of an album opens its pictures', async ({ files, browser, server, admin }) => {
  await files.openRoot()
  await writeAlbum(server)
  const { share, page } = await visit({ browser, server, admin }, '/trip/', PHONE)
  await page.locator('.ShareCover').getByRole('link', { name: 'b.jpg' }).tap()
  await expect(share.title).toHaveText('b.jpg')
  await expect(share.picture('b.jpg')).toBeVisible()
})

test('a visitor of one film has the subtitles inside of it', async ({
  files,
  page: own,
  browser,
  server,
  admin,
}) => {
  await files.openRoot()
  const path = join(server.root, 'a.webm')
  const cue = '1\n00:00:00,000 --> 00:00:02,000\nGood morning\n'
  writeFilm(path, await filmFrom(own), { en: cue })
  const { page } = await visit({ browser, server, admin }, '/a.webm')
  const film = page.getByRole('group', { name: 'a.webm' })
  await film.getByRole('button', { name: 'Subtitles' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'English' }).click()
  const texts = () =>
    film
      .locator('video')
      .evaluate((video: HTMLVideoElement) =>
        [...video.textTracks].map(({ cues }) => (cues?.[0] as VTTCue | undefined)?.text),
      )
  await expect.poll(texts).toEqual(['Good morning'])
})

test('a visitor plays a film with subtitles and music with its cover, and reads a book and a table', async ({
  files,
  page: own,
  browser,
  server,
  admin,
}) => {
  await files.openRoot()
  mkdirSync(join(server.root, 'box'))
  const put = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(server.root, 'box', name), content)
  const create = { width: 60, height: 60, channels: 3, background: 'teal' } as const
  put('a.webm', await filmFrom(own))
  put('a.de.srt', '1\n00:00:00,000 --> 00:00:02,000\nGuten Morgen\n')
  put(
    'b.mp3',
    withTags({
      title: 'Low tide',
      artist: 'The Ferry',
      cover: await sharp({ create }).png().toBuffer(),
    }),
  )
  put('c.epub', bookOf())
  put('d.csv', 'name;sum\none;1\n')
  put('e.md', '# Notes\n\n[table](d.csv)')
  const { share, page, forbidden } = await visit({ browser, server, admin }, '/box/')

  await share.link('a.webm').click()
  const film = page.getByRole('group', { name: 'a.webm' })
  await film.getByRole('button', { name: 'Subtitles' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'German' }).click()
  await expect
    .poll(() =>
      film
        .locator('video')
        .evaluate((video: HTMLVideoElement) =>
          [...video.textTracks].flatMap(({ cues }) =>
            [...(cues ?? [])].map((cue) => (cue as VTTCue).text),
          ),
        ),
    )
    .toEqual(['Guten Morgen'])
  await expect(share.bar).toContainText('2 of 6')

  await share.button('Close').click()
  await share.link('b.mp3').click()
  await expect(page.getByRole('heading', { name: 'Low tide' })).toBeVisible()
  await expect(page.getByText('The Ferry')).toBeVisible()
  await expect(page.locator('.AudioPlayer__cover')).toHaveJSProperty('naturalWidth', 60)

  await page.keyboard.press('Escape')
  await share.link('c.epub').click()
  await expect(page.frameLocator('iframe').getByText('It begins.')).toBeVisible()
  await share.button('Close').click()
  await share.link('d.csv').click()
  await expect(page.getByRole('columnheader', { name: 'sum' })).toBeVisible()
  await share.button('Show as text').click()
  await expect(page.getByText('name;sum')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('link', { name: 'table' }).click()
  await expect(page.getByRole('columnheader', { name: 'sum' })).toBeVisible()
  expect(forbidden).toEqual([])
})

test('a user who visits a share changes and requests nothing of the own files', async ({
  files,
  page,
  server,
  admin,
}) => {
  await files.openRoot()
  await writeAlbum(server)
  const made = await admin.call('POST', `${API.share}/trip/`, {})
  const { hash } = (await made.json()) as Share
  const requested: string[] = []
  await page.goto('about:blank')
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  const share = new SharePage(page)
  await share.open(`${server.url}/share/${hash}/b.jpg`)
  await expect(share.picture('b.jpg')).toBeVisible()
  // The keys of actions that only users have.
  for (const keys of ['Delete', 'F2', 'Alt+Enter', 'Control+c', 'Control+z', '+', 'r', '0']) {
    await page.keyboard.press(keys)
  }
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await expect(share.title).toHaveText('c.jpg')
  await expect(share.picture('c.jpg')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(share.title).toHaveText('trip')
  const own = /^\/api\/(?:raw|preview|media|resources|subtitle|access|versions)\//
  expect(requested.filter((path) => own.test(path))).toEqual([])
})

test('with Shift a visitor selects everything up to an entry, in the gallery and in the list, and no text', async ({
  files,
  browser,
  server,
  admin,
}) => {
  await files.openRoot()
  await writeAlbum(server)
  const { share, page } = await visit({ browser, server, admin }, '/trip/')
  await share.button('Select').click()
  for (const view of ['Gallery', 'List'] as const) {
    await share.button(view).click()
    const box = (name: string) =>
      page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
    const target = (name: string) => page.locator('label').filter({ has: box(name) })
    await target('b.jpg').click()
    await expect(share.selection).toContainText('1 selected')
    await target('d.jpg').click({ modifiers: ['Shift'] })
    await expect(share.selection).toContainText('3 selected')
    await box('a.jpg').focus()
    await page.keyboard.press('Shift+Space')
    await expect(share.selection).toContainText('4 selected')
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('')
    await share.button('Stop selecting').click()
    await share.button('Select').click()
  }
})
