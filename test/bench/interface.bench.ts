/**
 * What a user waits for in the interface, measured in Chromium with the executable: the bytes of scripts and styles before
 * the first listing, the time from a double click on a folder to its rows, the longest task that blocks the page while
 * a folder opens and while the user scrolls and uploads, the part of the frames that are late while 10 000 rows scroll,
 * the time from the last key of a search to its first hit, and the time until a visitor of a share sees its first
 * picture.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CDPSession, chromium, type Page } from 'playwright'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { preferFileInputs } from '../e2e/file-inputs.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import budgets from './budgets.json' with { type: 'json' }
import { report } from './report.ts'

/** A good 3G network: 1.6 Mbit/s down, 750 kbit/s up, 150 ms latency. Throughputs are bytes a second. */
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
await fillWithKinds(join(folder.path, 'kinds'), 1000)
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
  // Files from the cache of the service worker would not be counted.
  serviceWorkers: 'block',
})
await preferFileInputs(context)
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
figures.longestTaskOpening1000Ms = await longestTaskOpening('f1000')
figures.longestTaskOpening10000Ms = await longestTaskOpening('f10000')
figures.longestTaskOpeningKindsMs = await longestTaskOpening('kinds')
figures.lateFrames10000 = await lateFrames('f10000')
figures.firstHitMs = await firstHit()
await page.goto(`${server.url}/files/f100000/`)
await page.getByRole('row', { name: /file-00000/ }).waitFor()
// The listing must be loaded: the interface reads one of this size in longer tasks.
await page.waitForTimeout(3000)
figures.longestTaskScrollingMs = await longestTask(() => scroll(page))
await page.goto(`${server.url}/files/`)
await page.getByRole('row', { name: /f1000\b/ }).waitFor()
await chooseFiles(page)
figures.longestTaskUploadingMs = await longestTask(() => waitUntilUploaded(page))
figures.firstSharedPictureMs = await firstSharedPicture()
report('interface, in Chromium against the executable', budgets.interface, figures)

function fill(path: string, count: number): void {
  mkdirSync(path)
  for (let number = 0; number < count; number += 1) {
    writeFileSync(join(path, `file-${String(number).padStart(5, '0')}.txt`), '')
  }
}

/** Pictures, whose thumbnails the page loads, among files of other kinds, each with an icon of its own. */
async function fillWithKinds(path: string, count: number): Promise<void> {
  const create = { width: 800, height: 600, channels: 3, background: 'teal' } as const
  const picture = await sharp({ create }).jpeg().toBuffer()
  const contents = { '.txt': '', '.jpg': picture, '.pdf': '', '.mp4': '', '.docx': '' }
  const kinds = Object.entries(contents)
  mkdirSync(path)
  for (let number = 0; number < count; number += 1) {
    const [ending, content] = kinds[number % kinds.length] ?? ['', '']
    writeFileSync(join(path, `file-${String(number).padStart(5, '0')}${ending}`), content)
  }
}

/** KiB of scripts and styles until the first rows, signed in, with an empty cache; later ones are not counted. */
async function bytesToListing(page: Page) {
  const devTools: CDPSession = await page.context().newCDPSession(page)
  await devTools.send('Network.enable')
  await devTools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await page.addInitScript(() => {
    // Not in the next frame: what the page loads after its first rows may arrive before it.
    const observer = new MutationObserver(() => {
      if (!document.body?.textContent?.includes('f1000')) return
      performance.mark('rows')
      observer.disconnect()
    })
    observer.observe(document, { childList: true, subtree: true })
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

/** Milliseconds from the second click on a folder to its first rows: the shortest of five, which other work disturbs least. */
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
          const startedAt = performance.now()
          const check = () => {
            if (document.body.textContent?.includes('file-00000')) {
              document.body.dataset.waitedMs = String(performance.now() - startedAt)
            } else requestAnimationFrame(check)
          }
          check()
        },
        { capture: true },
      )
    })
    await row.dblclick()
    const done = page.locator('body[data-waited-ms]')
    await done.waitFor()
    times.push(Number(await done.getAttribute('data-waited-ms')))
  }
  return Math.min(...times)
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** The time that the thread itself has worked, in microseconds. */
  tdur?: number
  args?: { name?: string }
}

/** The longest task while the folder opens: the shortest of three. */
async function longestTaskOpening(name: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    await page.goto(`${server.url}/files/`)
    const row = page.getByRole('row', { name: new RegExp(`${name}\\b`) })
    await row.waitFor()
    // What the page still does after its start is no part of the opening.
    await page.waitForTimeout(2000)
    const opening = longestTask(async () => {
      await row.dblclick()
      await page.getByRole('row', { name: /file-00000/ }).waitFor()
      await page.waitForTimeout(1000)
    })
    times.push(await opening)
  }
  return Math.min(...times)
}

/** The part of the frames that are late while the folder scrolls: later than one and a half frames at 60 a second. */
async function lateFrames(name: string): Promise<number> {
  await page.goto(`${server.url}/files/${name}/`)
  await page.getByRole('row', { name: /file-00000/ }).waitFor()
  await page.waitForTimeout(2000)
  const parts: number[] = []
  for (let round = 0; round < 3; round += 1) {
    // In a variable: a change of the document at each frame would itself make frames late.
    const recorded = await page.evaluateHandle(() => {
      const frames: number[] = []
      let last = performance.now()
      const next = (now: number) => {
        frames.push(now - last)
        last = now
        requestAnimationFrame(next)
      }
      requestAnimationFrame(next)
      return frames
    })
    await scroll(page)
    const frames = await recorded.jsonValue()
    parts.push(frames.filter((ms) => ms > 25).length / frames.length)
    await page.reload()
    await page.getByRole('row', { name: /file-00000/ }).waitFor()
    await page.waitForTimeout(1000)
  }
  return Math.min(...parts)
}

/** Milliseconds from the last key of a search to its first hit: the shortest of five. */
async function firstHit(): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round += 1) {
    await page.goto(`${server.url}/files/`)
    await page.getByRole('row', { name: /f1000\b/ }).waitFor()
    await page.keyboard.press('/')
    const field = page.getByRole('combobox')
    const wanted = `file-0999${round}`
    await page.evaluate((wanted_) => {
      let lastKeyAt = 0
      addEventListener('keydown', () => (lastKeyAt = performance.now()), { capture: true })
      const check = () => {
        const typed = document.querySelector<HTMLInputElement>('[role="combobox"]')?.value
        const found = [...document.querySelectorAll('[role="option"]')]
        // Before the last key, the wanted name may already be among the hits.
        if (typed === wanted_ && found[0]?.textContent?.includes(wanted_)) {
          document.body.dataset.foundMs = String(performance.now() - lastKeyAt)
        } else requestAnimationFrame(check)
      }
      check()
    }, wanted)
    await field.pressSequentially(wanted, { delay: 60 })
    const done = page.locator('body[data-found-ms]')
    await done.waitFor()
    times.push(Number(await done.getAttribute('data-found-ms')))
  }
  return Math.min(...times)
}

/** Milliseconds from the request for a shared folder of photos to its first picture, on a phone: the median of five visits. */
async function firstSharedPicture(): Promise<number> {
  const album = join(folder.path, 'album')
  mkdirSync(album)
  for (let number = 0; number < 24; number += 1) {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const picture = sharp({
      create: { width: 400, height: 300, channels: 3, background: 'grey', noise },
    })
    const small = await picture.png().toBuffer()
    await sharp(small)
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
    const devTools = await context.newCDPSession(page)
    await devTools.send('Network.enable')
    await devTools.send('Network.emulateNetworkConditions', PHONE_NETWORK)
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const paint of list.getEntries() as (PerformanceEntry & { element?: Element })[]) {
          if (!(paint.element instanceof HTMLImageElement)) continue
          document.documentElement.dataset.paintedMs ??= String(paint.startTime)
        }
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    await page.goto(`${server.url}/share/${hash}`)
    const painted = page.locator('html[data-painted-ms]')
    await painted.waitFor()
    times.push(Number(await painted.getAttribute('data-painted-ms')))
    await context.close()
  }
  return times.sort((a, b) => a - b)[2] ?? Number.NaN
}

/**
 * The longest task of the page while `act` runs, in milliseconds of work of the page's thread: waiting for a processor is
 * none.
 */
async function longestTask(act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await act()
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(
    String(await browser.stopTracing()),
  )
  const threads = new Set(
    traceEvents
      .filter((event) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(({ pid, tid, tdur }) => tdur && threads.has(`${pid} ${tid}`))
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}

async function scroll(page: Page): Promise<void> {
  await page.getByRole('grid').hover()
  for (let step = 0; step < 120; step += 1) await page.mouse.wheel(0, 900)
  await page.waitForTimeout(300)
}

/** Chooses 2000 files, and waits until the upload has begun: the browser itself is busy before. */
async function chooseFiles(page: Page): Promise<void> {
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

async function waitUntilUploaded(page: Page): Promise<void> {
  await page.getByText('2,000 files uploaded').waitFor({ timeout: 60_000 })
}
