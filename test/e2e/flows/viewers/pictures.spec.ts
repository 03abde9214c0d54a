/** Pictures: full screen, the facts of the camera, and a rotation that is saved. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { exifBlock, withExif } from '../../../support/files/exif.ts'
import { expect, test } from '../../fixtures.ts'

const photo = async (width = 60, height = 40) => {
  const create = { width, height, channels: 3, background: 'teal' } as const
  const block = exifBlock({
    main: { 271: 'FUJIFILM', 272: 'X-T5' },
    own: { 33437: [[28, 10]], 34855: 400, 36867: '2026:05:01 12:00:00', 42036: 'XF 35mm' },
  })
  return withExif(await sharp({ create }).jpeg().toBuffer(), block)
}
const isFull = (page: Page) =>
  page.evaluate(() => document.fullscreenElement === document.documentElement)

test('a picture that is shown through a smaller preview has its own size in the bar', async ({
  opened,
  page,
  server,
}) => {
  const create = { width: 1600, height: 1200, channels: 3, background: 'teal' } as const
  writeFileSync(join(server.root, 'a.tiff'), await sharp({ create }).tiff().toBuffer())
  await opened.open('/a.tiff')
  await expect(opened.picture('a.tiff')).toBeVisible()
  await expect(page.getByText('1,600 × 1,200')).toBeVisible()
  await expect(page.getByText('1,080 × 810')).toBeHidden()
})

test.describe('in full screen', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('F fills the screen with the picture, hides the controls when idle, and stays for the next one', async ({
    opened,
    page,
    server,
  }) => {
    for (const name of ['a.jpg', 'b.jpg']) writeFileSync(join(server.root, name), await photo())
    await opened.open('/a.jpg')
    await expect(opened.picture('a.jpg')).toBeVisible()
    await page.clock.install()
    await page.keyboard.press('f')
    await expect.poll(() => isFull(page)).toBe(true)
    await expect(page.getByRole('navigation', { name: 'Sidebar' })).toBeHidden()
    await page.mouse.move(300, 300)
    await page.clock.runFor(2 * ON_DEMAND_LIMITS.viewerIdleMs)
    const bar = opened.pathBar.locator('..')
    await expect(bar).toHaveCSS('opacity', '0')
    await page.mouse.move(320, 300)
    await expect(bar).toHaveCSS('opacity', '1')
    await page.keyboard.press('ArrowRight')
    await expect(opened.picture('b.jpg')).toBeVisible()
    expect(await isFull(page)).toBe(true)
    // The help is visible over it.
    await page.keyboard.press('F1')
    await expect(page.getByRole('dialog').getByText('Full screen')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await opened.action('Full screen').click()
    await expect.poll(() => isFull(page)).toBe(false)
    await page.keyboard.press('f')
    await expect.poll(() => isFull(page)).toBe(true)
    await opened.close()
    await expect(page.getByRole('grid')).toBeVisible()
    await expect.poll(() => isFull(page)).toBe(false)
  })
})

test('Quick Look fills the screen, too', async ({ files, page, server }) => {
  writeFileSync(join(server.root, 'a.jpg'), await photo())
  await files.openRoot()
  await files.row('a.jpg').click()
  await page.keyboard.press('Space')
  const look = page.getByRole('dialog', { name: 'a.jpg' })
  await expect(look.getByRole('img', { name: 'a.jpg' })).toBeVisible()
  await page.keyboard.press('f')
  await expect.poll(() => isFull(page)).toBe(true)
  const filled = () =>
    look.evaluate((dialog) => {
      const { width, height } = dialog.getBoundingClientRect()
      const top = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
      return [width - innerWidth, height - innerHeight, dialog.contains(top)]
    })
  await expect.poll(filled).toEqual([0, 0, true])
})

test('I shows the facts of the camera, also for the next picture; a visitor sees no camera and saves nothing', async ({
  opened,
  page,
  server,
  admin,
}) => {
  mkdirSync(join(server.root, 'trip'))
  for (const name of ['a.jpg', 'b.jpg']) {
    writeFileSync(join(server.root, 'trip', name), await photo())
  }
  await opened.open('/trip/a.jpg')
  await expect(opened.picture('a.jpg')).toBeVisible()
  const facts = page.getByRole('complementary', { name: 'Photo details' })
  await expect(facts).toBeHidden()
  await page.keyboard.press('i')
  await expect(facts).toContainText('X-T5')
  await expect(facts).toContainText('XF 35mm')
  await expect(facts).toContainText('f/2.8 · ISO 400')
  await expect(facts).toContainText('60 × 40')
  await page.keyboard.press('ArrowRight')
  await expect(opened.picture('b.jpg')).toBeVisible()
  await expect(facts).toContainText('X-T5')
  const { hash } = (await (await admin.call('POST', `${API.share}/trip/`, {})).json()) as Share
  await page.goto(`./share/${hash}/a.jpg`)
  await expect(facts).toContainText('60 × 40')
  await expect(facts).not.toContainText('X-T5')
  await facts.getByRole('button', { name: 'Close' }).click()
  await expect(facts).toBeHidden()
  // A visitor rotates only the view.
  await page.keyboard.press('r')
  await expect(opened.picture('a.jpg')).toHaveCSS('transform', /^matrix\(0, 1, -1, 0/)
  await expect(page.getByRole('button', { name: 'Save rotation' })).toBeHidden()
})

test('a rotation is saved without loss, and Undo brings back the file', async ({
  opened,
  page,
  server,
}) => {
  const path = join(server.root, 'a.jpg')
  writeFileSync(path, await photo())
  const before = readFileSync(path)
  await opened.open('/a.jpg')
  const shape = () =>
    opened.picture('a.jpg').evaluate((image: HTMLImageElement) => {
      return [
        image.naturalWidth,
        image.naturalHeight,
        image.style.transform.includes('rotate(0deg)'),
      ]
    })
  await expect.poll(shape).toEqual([60, 40, true])
  const save = page.getByRole('button', { name: 'Save rotation' })
  await expect(save).toBeHidden()
  await page.keyboard.press('r')
  await save.click()
  await expect.poll(shape).toEqual([40, 60, true])
  await expect(save).toBeHidden()
  const { autoOrient } = await sharp(readFileSync(path)).metadata()
  expect([autoOrient.width, autoOrient.height]).toEqual([40, 60])
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect.poll(shape).toEqual([60, 40, true])
  expect(readFileSync(path)).toEqual(before)
})

test('a part of a picture is chosen by pointer and keys, saved, and Undo brings back the file', async ({
  opened,
  page,
  server,
}) => {
  const path = join(server.root, 'a.png')
  const create = { width: 400, height: 200, channels: 3, background: 'teal' } as const
  writeFileSync(path, await sharp({ create }).png().toBuffer())
  writeFileSync(join(server.root, 'b.png'), await sharp({ create }).png().toBuffer())
  const before = readFileSync(path)
  await opened.open('/a.png')
  const picture = opened.picture('a.png')
  await expect(picture).toHaveJSProperty('naturalWidth', 400)
  const part = page.getByRole('group', { name: 'Area to keep' })
  // Until the viewer knows the size of the picture, the key does nothing.
  await expect(async () => {
    await page.keyboard.press('c')
    await expect(part).toHaveAccessibleName('Area to keep: 400 × 200', { timeout: 1000 })
  }).toPass()
  await expect(part).toBeFocused()
  // The corner at the right, by the pointer.
  const box = await part.boundingBox()
  if (!box) throw new Error('There is no part.')
  await page.mouse.move(box.x + box.width, box.y + box.height)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 100, box.y + box.height - 50, { steps: 3 })
  await page.mouse.up()
  await expect(part).toHaveAccessibleName('Area to keep: 300 × 150')
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(part).toHaveAccessibleName('Area to keep: 296 × 150')
  // The keys of the viewer do not open the next picture.
  await page.keyboard.press('ArrowRight')
  await expect(part).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(part).toBeHidden()
  await expect(picture).toBeVisible()

  await page.getByRole('button', { name: 'Crop', exact: true }).click()
  for (const handle of await page.locator('.CropArea__handle').all()) {
    const { width = 0, height = 0 } = (await handle.boundingBox()) ?? {}
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
  }
  for (const key of ['Shift+ArrowLeft', 'Shift+ArrowUp', 'ArrowRight', 'Enter'])
    await page.keyboard.press(key)
  await expect(part).toBeHidden()
  await expect(picture).toHaveJSProperty('naturalWidth', 396)
  const { width, height } = await sharp(readFileSync(path)).metadata()
  expect([width, height]).toEqual([396, 196])
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(picture).toHaveJSProperty('naturalWidth', 400)
  expect(readFileSync(path)).toEqual(before)
})

test('a raw file of a camera is shown', async ({ opened, server }) => {
  const jpeg = await photo()
  const block = exifBlock({ main: { 272: 'ILCE-7', 513: 4096, 514: jpeg.length } })
  const start = Buffer.alloc(4096)
  start.set(block.subarray(Buffer.from(block).indexOf('II'), 4096))
  writeFileSync(join(server.root, 'a.arw'), Buffer.concat([start, jpeg]))
  await opened.open('/a.arw')
  await expect(opened.picture('a.arw')).toHaveJSProperty('naturalWidth', 60)
})

test('while a large picture loads, its thumbnail is shown, and the next picture waits', async ({
  opened,
  page,
  server,
}) => {
  for (const name of ['a.jpg', 'b.jpg']) {
    writeFileSync(join(server.root, name), await noisyPhoto())
  }
  const asked: string[] = []
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/preview/big/**', async (route) => {
    asked.push(new URL(route.request().url()).pathname)
    await released
    await route.continue()
  })
  await opened.open('/a.jpg')
  const standIn = page.locator('.ImageViewer__standIn')
  await expect(standIn).not.toHaveJSProperty('naturalWidth', 0)
  await expect(opened.picture('a.jpg')).toBeHidden()
  expect(asked).toEqual([expect.stringContaining('a.jpg')])
  const before = await standIn.evaluate(contentBox)
  release()
  await expect(opened.picture('a.jpg')).toBeVisible()
  await expect(standIn).toHaveCount(0)
  // The picture takes the place of its thumbnail.
  expect(await opened.picture('a.jpg').evaluate(contentBox)).toEqual(before)
  await expect.poll(() => asked.length).toBe(2)
})

/** A photograph of more bytes than one that is shown without a preview. */
async function noisyPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width: 1600, height: 1200, channels: 3, noise, background: 'teal' } })
    .jpeg({ quality: 100 })
    .toBuffer()
}

/** Where the pixels of a picture are, which has the aspect ratio 4 : 3, in whole CSS pixels. */
function contentBox(image: Element): { x: number; y: number; width: number } {
  const { x, y, width, height } = image.getBoundingClientRect()
  const scale = Math.min(width / 4, height / 3)
  return {
    x: Math.round(x + (width - 4 * scale) / 2),
    y: Math.round(y + (height - 3 * scale) / 2),
    width: Math.round(4 * scale),
  }
}
