/**
 * One file of 1 GiB, up and down: the time beside a pipe of the runtime through a socket into a flushed file, and the
 * memory that the server uses more than before. And 2000 files of 10 KiB that a user chooses in Chromium.
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
import { API } from '#wire/routes.ts'
import { type Client, signIn } from '../support/client.ts'
import { residentMibOf } from '../support/process.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'
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
  // The server releases the memory of its start after a second.
  await Bun.sleep(2000)
  const restMib = residentMibOf(pid)
  const figures = await measureLarge(client)
  const fromBrowser = await measureBrowser()
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
        isPipe ? Number.NaN : peakMib - restMib,
      ]
    }),
  )
  writeTable('2000 files of 10 KiB from Chromium', ['files a second'], [[FILES / fromBrowser]])
  report('transfers', budgets.transfers, {
    plainToPipe: figures.plain.wallMs / figures.pipe.wallMs,
    tusToPipe: figures.tus.wallMs / figures.pipe.wallMs,
    downloadMib: (figures.download.peakMib ?? Number.NaN) - restMib,
    uploadMib: (figures.tus.peakMib ?? Number.NaN) - restMib,
    browserSeconds: fromBrowser,
  })
} finally {
  await server.stop()
  outside.remove()
}

/** The median of each figure; a round before them is not counted. */
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
  const of = (name: keyof typeof transfers): Usage => ({
    wallMs: median(usages[name].map(({ wallMs }) => wallMs)),
    cpuMs: median(usages[name].map(({ cpuMs = Number.NaN }) => cpuMs)),
    peakMib: median(usages[name].map(({ peakMib = Number.NaN }) => peakMib)),
  })
  return { pipe: of('pipe'), plain: of('plain'), tus: of('tus'), download: of('download') }
}

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
  // The address of a listener on a port is no text.
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

/** The seconds from the choice of the files to the message that all are uploaded. */
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

async function uploadInBrowser(browser: Browser, round: number): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  // A script cannot answer the dialog that returns handles; without it, the page uses a file input.
  await page.addInitScript(() => Object.assign(window, { showOpenFilePicker: undefined }))
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
      const watch = new MutationObserver(() => {
        if (!document.body.textContent?.includes('2,000 files uploaded')) return
        watch.disconnect()
        document.body.dataset.took = String(performance.now() - startedAt)
      })
      watch.observe(document.body, { childList: true, characterData: true, subtree: true })
      const startedAt = performance.now()
      element.files = chosen.files
      element.dispatchEvent(new Event('change', { bubbles: true }))
    },
    { round, FILES, FILE_BYTES },
  )
  const done = page.locator('body[data-took]')
  await done.waitFor({ timeout: 60_000 })
  const took = Number(await done.getAttribute('data-took'))
  await page.close()
  return took
}

function mustBe(status: number, response: Response): void {
  if (response.status !== status) throw new Error(`A transfer was answered by ${response.status}.`)
}
