/** Films and pictures that cannot be shown: a card with the reason and a download. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { filmHeader, filmWithoutIndex } from '../../../support/files/films.ts'
import { waveOf } from '../../../support/files/recordings.ts'
import { expect, test } from '../../fixtures.ts'

test('a film without its index is called damaged, and an unknown format is not', async ({
  page,
  server,
  opened,
}) => {
  const put = (name: string, content: Uint8Array) => writeFileSync(join(server.root, name), content)
  put('unknown.mp4', filmHeader(9))
  put('cut.mp4', filmWithoutIndex())
  put('cut.mp3', Buffer.from('no sound'))
  await opened.open('/unknown.mp4')
  await expect(page.getByText('cannot play this video format')).toBeVisible()
  for (const name of ['cut.mp4', 'cut.mp3']) {
    await opened.open(`/${name}`)
    await expect(page.getByText('The file is damaged')).toBeVisible()
    await expectDownload(page, name)
  }
})

test('a picture is damaged, of an unknown format, or too large to be decoded', async ({
  files,
  page,
  server,
  opened,
}) => {
  const put = (name: string, content: Uint8Array) => writeFileSync(join(server.root, name), content)
  put('a-huge.png', await blank(10_001))
  put('cut.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]))
  put('unknown.jxl', Buffer.from('no picture'))
  put('unknown.heic', Buffer.from('no picture'))
  await opened.open('/cut.jpg')
  await expect(page.getByText('The file is damaged')).toBeVisible()
  await expectDownload(page, 'cut.jpg')
  await opened.open('/unknown.heic')
  await expect(page.getByText('reads HEIC pictures, such as heif-convert')).toBeVisible()
  await opened.open('/unknown.jxl')
  await expect(page.getByText('can show this picture format')).toBeVisible()
  await opened.open('/a-huge.png')
  await expect(page.getByText('This picture has too many pixels')).toBeVisible()
  await expectDownload(page, 'a-huge.png')

  // The listing does not contain the number of pixels.
  await files.open('/')
  await files.select('a-huge.png')
  await page.keyboard.press('Space')
  const look = page.getByRole('dialog', { name: 'Quick look at a-huge.png' })
  await expect(look.getByText('This picture has too many pixels')).toBeVisible()
})

test('visitors of a share read why a picture or film is not shown', async ({
  browser,
  files,
  server,
  admin,
}) => {
  await files.openRoot()
  const put = (name: string, content: Uint8Array) => writeFileSync(join(server.root, name), content)
  put('cut.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]))
  put('cut.mp4', filmWithoutIndex())
  put('huge.png', await blank(10_001))
  put('small.png', await blank(10))
  put('unknown.mp4', filmHeader(9))
  const made = await admin.call('POST', `${API.share}/`, {})
  const { hash } = (await made.json()) as { hash: string }
  const context = await browser.newContext({ baseURL: `${server.url}/` })
  const visitor = await context.newPage()
  for (const [name, reason] of [
    ['cut.jpg', 'The file is damaged'],
    ['cut.mp4', 'The file is damaged'],
    ['huge.png', 'This picture has too many pixels'],
    ['unknown.mp4', 'cannot play this video format'],
  ] as const) {
    await visitor.goto(`./share/${hash}/${name}`)
    await expect(visitor.getByText(reason)).toBeVisible()
    await expect(visitor.getByText('Download', { exact: true })).toBeVisible()
  }

  await visitor.goto(`./share/${hash}/huge.png`)
  await expect(visitor.getByText('This picture has too many pixels')).toBeVisible()
  await visitor.getByRole('button', { name: 'Next' }).click()
  await expect(visitor.getByRole('img', { name: 'small.png' })).toBeVisible()

  await visitor.route(CONTENT, (route) => route.abort('connectionfailed'))
  await visitor.reload()
  await expect(visitor.getByText('The server cannot be reached')).toBeVisible()
  await visitor.unroute(CONTENT)
  await visitor.getByRole('button', { name: 'Try again' }).click()
  await expect(visitor.getByRole('img', { name: 'small.png' })).toBeVisible()
  await context.close()
})

test('a picture whose server cannot be reached is not called damaged, and is shown after another attempt', async ({
  page,
  server,
  opened,
}) => {
  writeFileSync(join(server.root, 'small.png'), await blank(10))
  await page.route(CONTENT, (route) => route.abort('connectionfailed'))
  await opened.open('/small.png')
  await expect(page.getByText('The server cannot be reached')).toBeVisible()
  await page.unroute(CONTENT)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('img', { name: 'small.png' })).toBeVisible()
})

test('a recording whose server cannot be reached is played after another attempt', async ({
  page,
  server,
  opened,
}) => {
  writeFileSync(join(server.root, 'song.wav'), waveOf(30))
  await page.route(CONTENT, (route) => route.abort('connectionfailed'))
  await opened.open('/song.wav')
  await expect(page.getByText('The server cannot be reached')).toBeVisible()
  await page.unroute(CONTENT)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(opened.playerFrame('song.wav')).toBeFocused()
})

/** The requests for the content of files and what is known of it. */
const CONTENT = /\/api\/(raw|media|public\/(dl|media|preview))\//

/** A square picture of one colour, which is a small file. */
function blank(px: number): Promise<Uint8Array> {
  const create = { width: px, height: px, channels: 3, background: 'teal' } as const
  return sharp({ create, limitInputPixels: false }).png().toBuffer()
}

/** The card has a button that downloads the file. */
async function expectDownload(page: Page, name: string): Promise<void> {
  const saved = page.waitForEvent('download')
  await page
    .getByRole('main')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
    .getByText('Download', { exact: true })
    .click()
  expect((await saved).suggestedFilename()).toBe(name)
}
