/**
 * Uploads and a download of one file of 1 GiB: the time, divided by that of a pipe in this process through a socket into a
 * file that is flushed, and the memory that the server needs in addition. Then an upload of 2000 files of 10 KiB that a
 * user chooses in Chromium.
 */
import { once } from 'node:events'
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fsyncSync,
  openSync,
  rmSync,
} from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Browser, chromium } from 'playwright'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, signIn } from '../support/server/client.ts'
import { residentMibOf } from '../support/server/process.ts'
import { startServer } from '../support/server/server.ts'
import budgets from './budgets.json' with { type: 'json' }
import { median } from './measure.ts'
import { type Usage, usageOf } from './peers/usage.ts'
import { report } from './report.ts'
import { writeTable } from './table.ts'

const ROUNDS = 5
const LARGE_BYTES = 2 ** 30
const FILES = 2000
const FILE_BYTES = 10 * 1024

const outside = temporaryFolder()
const large = join(outside.path, 'large')
await Bun.write(large, new Uint8Array(LARGE_BYTES).fill(65))
const server = await startServer()
const { pid } = server
try {
  const client = await signIn(server.url, 'admin', server.password)
  // After a second, the server releases the memory that only its start needs.
  await Bun.sleep(2000)
  const idleMib = residentMibOf(pid)
  const figures = await measureLarge(client)
  const browserSeconds = await measureBrowser()
  writeTable(
    'One file of 1 GiB',
    ['transfer', 'ms', 'time to the pipe', 'CPU ms', 'MiB more than before'],
    Object.entries(figures).map(([name, { wallMs, cpuMs = Number.NaN, peakMib = Number.NaN }]) => {
      const isPipe = name === 'pipe'
      return [
        name,
        wallMs,
        wallMs / figures.pipe.wallMs,
        isPipe ? Number.NaN : cpuMs,
        isPipe ? Number.NaN : peakMib - idleMib,
      ]
    }),
  )
  writeTable('2000 files of 10 KiB from Chromium', ['files a second'], [[FILES / browserSeconds]])
  report('transfers', budgets.transfers, {
    plainToPipe: figures.plain.wallMs / figures.pipe.wallMs,
    tusToPipe: figures.tus.wallMs / figures.pipe.wallMs,
    downloadMib: (figures.download.peakMib ?? Number.NaN) - idleMib,
    uploadMib: (figures.tus.peakMib ?? Number.NaN) - idleMib,
    browserSeconds,
  })
} finally {
  await server.stop()
  outside.remove()
}

/** Measures the pipe and the transfers. Rounds alternate; the first is not counted, and each figure is a median. */
async function measureLarge(
  client: Client,
): Promise<Record<'pipe' | 'plain' | 'tus' | 'download', Usage>> {
  const copy = join(outside.path, 'copy')
  const transfers = {
    pipe: () => pipeIntoFile(copy),
    plain: () => uploadPlain(client),
    tus: () => uploadByTus(client),
    download: () => download(client),
  }
  const usages = { pipe: [], plain: [], tus: [], download: [] } as Record<
    keyof typeof transfers,
    Usage[]
  >
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of Object.keys(transfers) as (keyof typeof transfers)[]) {
      const usage = await usageOf(pid, transfers[name])
      if (round > 0) usages[name].push(usage)
      rmSync(copy, { force: true })
    }
  }
  const medianOf = (name: keyof typeof transfers): Usage => ({
    wallMs: median(usages[name].map(({ wallMs }) => wallMs)),
    cpuMs: median(usages[name].map(({ cpuMs = Number.NaN }) => cpuMs)),
    peakMib: median(usages[name].map(({ peakMib = Number.NaN }) => peakMib)),
  })
  return {
    pipe: medianOf('pipe'),
    plain: medianOf('plain'),
    tus: medianOf('tus'),
    download: medianOf('download'),
  }
}

/** Sends the large file through a socket into a new file, and flushes it. */
async function pipeIntoFile(path: string): Promise<void> {
  const file = openSync(path, 'w')
  const stored = Promise.withResolvers<void>()
  const listener = createServer((socket) => {
    pipeline(socket, createWriteStream('', { fd: file, autoClose: false })).then(
      stored.resolve,
      stored.reject,
    )
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  // The address of a server on a port is an object, not a string.
  const { port } = listener.address() as AddressInfo
  await Promise.all([pipeline(createReadStream(large), connect(port, '127.0.0.1')), stored.promise])
  fsyncSync(file)
  closeSync(file)
  listener.close()
}

async function uploadPlain(client: Client): Promise<void> {
  mustBe(200, await client.call('POST', `${API.resources}/plain?override=true`, Bun.file(large)))
}

async function uploadByTus(client: Client): Promise<void> {
  const address = `${API.tus}/tus`
  const length = { 'Upload-Length': String(LARGE_BYTES) }
  mustBe(201, await client.call('POST', `${address}?override=true`, undefined, length))
  const headers = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
  mustBe(204, await client.call('PATCH', address, Bun.file(large), headers))
}

async function download(client: Client): Promise<void> {
  const response = await client.call('GET', `${API.raw}/plain`)
  let received = 0
  for await (const part of response.body ?? []) received += part.length
  if (received !== LARGE_BYTES) throw new Error(`Only ${received} bytes were received.`)
}

/** Seconds from the choice of the files to the message that all are uploaded; the median of three uploads. */
async function measureBrowser(): Promise<number> {
  const browser = await chromium.launch({
    executablePath: process.env.FILEMGR_CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const times: number[] = []
    for (let round = 0; round < 3; round += 1) times.push(await uploadInBrowser(browser, round))
    return median(times) / 1000
  } finally {
    await browser.close()
  }
}

/** @returns milliseconds */
async function uploadInBrowser(browser: Browser, round: number): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  // Playwright cannot choose files in this dialog; without it, the page uses a file input.
  await page.addInitScript(() =>
    Object.assign(window, { showOpenFilePicker: undefined, showDirectoryPicker: undefined }),
  )
  await page.goto(`${server.url}/login`)
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(server.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  const bar = page.getByRole('toolbar', { name: 'Actions' })
  const choosing = page.waitForEvent('filechooser')
  await bar.getByRole('button', { name: 'Upload', exact: true }).click()
  const input = (await choosing).element()
  await input.evaluate(
    (element: HTMLInputElement, { round, FILES, FILE_BYTES }) => {
      const chosen = new DataTransfer()
      for (let number = 0; number < FILES; number += 1) {
        const bytes = new Uint8Array(FILE_BYTES).fill(number)
        chosen.items.add(new File([bytes], `${round}-${number}.bin`))
      }
      const observer = new MutationObserver(() => {
        if (!document.body.textContent?.includes('2,000 files uploaded')) return
        observer.disconnect()
        document.body.dataset.tookMs = String(performance.now() - startedAt)
      })
      observer.observe(document.body, { childList: true, characterData: true, subtree: true })
      const startedAt = performance.now()
      element.files = chosen.files
      element.dispatchEvent(new Event('change', { bubbles: true }))
    },
    { round, FILES, FILE_BYTES },
  )
  const done = page.locator('body[data-took-ms]')
  await done.waitFor({ timeout: 60_000 })
  const tookMs = Number(await done.getAttribute('data-took-ms'))
  await page.close()
  return tookMs
}

function mustBe(status: number, response: Response): void {
  if (response.status !== status) throw new Error(`A transfer responded with ${response.status}.`)
}
