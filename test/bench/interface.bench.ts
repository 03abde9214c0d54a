/**
 * What a person waits for in the interface, measured in Chromium against the executable: bytes before
 * the first listing, the time from a click to rows, and how long anything blocks.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CDPSession, chromium, type Page } from 'playwright'
import sharp from 'sharp'
import { API } from '#wire/routes.ts'
import type { Share } from '#wire/share.ts'
import { signIn } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'
import budgets from './budgets.json' with { type: 'json' }
import { report } from './report.ts'

/** The network of a phone: 1.6 Mbit/s and 150 ms, as a good connection of the third generation. */
const PHONE_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1.6e6 / 8,
  uploadThroughput: 750e3 / 8,
}

const figures: Partial<Record<keyof typeof budgets.interface, number>> = {}
await using resources = new AsyncDisposableStack()
const [folder, outside] = [temporaryFolder(), temporaryFolder()]
for (const { remove } of [folder, outside]) resources.defer(remove)
for (const count of [1000, 10_000, 100_000]) fill(join(folder.path, `f${count}`), count)
const server = await startServer({ root: folder.path })
resources.defer(async () => void (await server.stop()))
const browser = await chromium.launch({
  executablePath: process.env.FILEMGR_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--disable-background-networking',
    '--no-first-run',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ],
})
resources.defer(() => browser.close())
const context = await browser.newContext({
  viewport: { width: 1440, height: 900 },
  // What the app's own worker keeps would not be counted.
  serviceWorkers: 'block',
})
const page = await context.newPage()
await page.goto(`${server.url}/login`)
await page.getByLabel('Username').fill('admin')
await page.getByLabel('Password', { exact: true }).fill(server.password)
await page.getByRole('button', { name: 'Log in' }).click()
await page.getByRole('row', { name: /f1000\b/ }).waitFor()

Object.assign(figures, await bytesToListing(await context.newPage()))
figures.clickToRows1000Ms = await clickToRows(page, 'f1000')
figures.clickToRows10000Ms = await clickToRows(page, 'f10000')
figures.clickToRows100000Ms = await clickToRows(page, 'f100000')
await page.goto(`${server.url}/files/f100000/`)
await page.getByRole('row', { name: /file-00000/ }).waitFor()
// After the load: reading a listing of this size takes longer tasks.
await page.waitForTimeout(3000)
figures.longestTaskScrollingMs = await longestTask(page, () => scroll(page))
await page.goto(`${server.url}/files/`)
await page.getByRole('row', { name: /f1000\b/ }).waitFor()
await chooseMany(page)
figures.longestTaskUploadingMs = await longestTask(page, () => uploaded(page))
figures.firstSharedPictureMs = await firstSharedPicture()
report('interface, in Chromium against the executable', budgets.interface, figures)

function fill(path: string, count: number): void {
  mkdirSync(path)
  for (let number = 0; number < count; number += 1) {
    writeFileSync(join(path, `file-${String(number).padStart(5, '0')}.txt`), '')
  }
}

/** With a cold cache, signed in. Scripts that arrive after the rows are not counted. */
async function bytesToListing(page: Page) {
  const wire: CDPSession = await page.context().newCDPSession(page)
  await wire.send('Network.enable')
  await wire.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.addInitScript(() => {
    // At the change itself: what the page loads after its first rows may arrive within a frame.
    const watch = new MutationObserver(() => {
      if (!document.body?.textContent?.includes('f1000')) return
      performance.mark('rows')
      watch.disconnect()
    })
    watch.observe(document, { childList: true, subtree: true })
  })
  await page.goto(`${server.url}/files/`)
  await page.getByRole('row', { name: /f1000\b/ }).waitFor()
  const bytesOf = (ending: string) =>
    page.evaluate((ending_) => {
      const rowsAt = performance.getEntriesByName('rows')[0]?.startTime
      if (rowsAt === undefined) throw new Error('The time of the first rows is not known.')
      const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      return resources
        .filter(({ name, responseEnd }) => name.endsWith(ending_) && responseEnd <= rowsAt)
        .reduce((sum, { transferSize }) => sum + transferSize, 0)
    }, ending)
  const [scripts, styles] = [await bytesOf('.js'), await bytesOf('.css')]
  await page.close()
  return {
    scriptsToFirstListingKiB: scripts / 1024,
    stylesToFirstListingKiB: styles / 1024,
  }
}

/** The best of five: what the interface can do, not what the machine was busy with. */
async function clickToRows(page: Page, name: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    await page.goto(`${server.url}/files/`)
    const row = page.getByRole('row', { name: new RegExp(`${name}\\b`) })
    await row.waitFor()
    await page.evaluate(() => {
      addEventListener(
        'click',
        (event) => {
          // The second click opens the folder.
          if ((event as MouseEvent).detail < 2) return
          const began = performance.now()
          const look = () => {
            if (document.body.textContent?.includes('file-00000')) {
              document.body.dataset.waited = String(performance.now() - began)
            } else requestAnimationFrame(look)
          }
          look()
        },
        { capture: true },
      )
    })
    await row.dblclick()
    const waited = page.locator('body[data-waited]')
    await waited.waitFor()
    times.push(Number(await waited.getAttribute('data-waited')))
  }
  return Math.min(...times)
}

/** On a phone, from the request of a shared album to its first picture; the median of five visitors. */
async function firstSharedPicture(): Promise<number> {
  const album = join(folder.path, 'album')
  mkdirSync(album)
  for (let number = 0; number < 24; number += 1) {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const picture = sharp({
      create: { width: 400, height: 300, channels: 3, background: 'grey', noise },
    })
    const grain = await picture.png().toBuffer()
    await sharp(grain)
      .resize(4000, 3000)
      .jpeg()
      .toFile(join(album, `${number}.jpg`))
  }
  const admin = await signIn(server.url, 'admin', server.password)
  const { hash } = (await (await admin.call('POST', `${API.share}/album/`, {})).json()) as Share
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 3,
      isMobile: true,
    })
    const page = await context.newPage()
    const wire = await context.newCDPSession(page)
    await wire.send('Network.enable')
    await wire.send('Network.emulateNetworkConditions', PHONE_NETWORK)
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const paint of list.getEntries() as (PerformanceEntry & { element?: Element })[]) {
          if (!(paint.element instanceof HTMLImageElement)) continue
          document.documentElement.dataset.painted ??= String(paint.startTime)
        }
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    await page.goto(`${server.url}/share/${hash}`)
    const painted = page.locator('html[data-painted]')
    await painted.waitFor()
    times.push(Number(await painted.getAttribute('data-painted')))
    await context.close()
  }
  return times.sort((a, b) => a - b)[2] ?? Number.NaN
}

async function longestTask(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    document.body.dataset.longest = '0'
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        const longest = Math.max(duration, Number(document.body.dataset.longest))
        document.body.dataset.longest = String(longest)
      }
    }).observe({ type: 'longtask' })
  })
  await act()
  return Number(await page.locator('body').getAttribute('data-longest'))
}

async function scroll(page: Page): Promise<void> {
  await page.getByRole('grid').hover()
  for (let step = 0; step < 120; step += 1) await page.mouse.wheel(0, 900)
  await page.waitForTimeout(300)
}

/** The browser itself is busy while it is handed so many files; what is measured begins after. */
async function chooseMany(page: Page): Promise<void> {
  const many = join(outside.path, 'many')
  fill(many, 2000)
  const choosing = page.waitForEvent('filechooser')
  await page
    .getByRole('toolbar', { name: 'Actions' })
    .getByRole('button', { name: 'More ways to upload' })
    .click()
  await page.getByRole('menuitem', { name: 'Upload folder' }).click()
  await (await choosing).setFiles(many)
  await page.getByRole('region', { name: /^Uploads/ }).waitFor()
}

async function uploaded(page: Page): Promise<void> {
  await page.getByText('2,000 files uploaded').waitFor({ timeout: 60_000 })
}
