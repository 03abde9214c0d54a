import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { openTcpProxy, type TcpProxy } from '../../../support/server/tcp-proxy.ts'
import { test as base, expect } from '../../fixtures.ts'
import { FileDrag } from '../../pages/FileDrag.ts'
import type { FilesPage } from '../../pages/FilesPage.ts'

/** A time that a program can restore exactly. */
const MODIFIED_S = 1_700_000_000
const SIZE = 48 * 2 ** 20
/** Bytes per second: slow enough to be interrupted. */
const SLOW = 12 * 2 ** 20

/** The page reaches the server through a proxy that can be slowed. */
const test = base.extend<{ tcpProxy: Awaited<ReturnType<typeof openTcpProxy>>; big: string }>({
  tcpProxy: async ({ server }, use) => {
    const tcpProxy = await openTcpProxy(server.url)
    await use(tcpProxy)
    await tcpProxy.cut()
  },
  baseURL: async ({ tcpProxy }, use) => {
    await use(`${tcpProxy.url}/`)
  },
  // Playwright reads the names of the fixtures it needs from the pattern; this one needs none.
  // biome-ignore lint/correctness/noEmptyPattern: the pattern is the declaration
  big: async ({}, use) => {
    const local = temporaryFolder()
    writeFileSync(join(local.path, 'big.bin'), new Uint8Array(SIZE).fill(7))
    await use(join(local.path, 'big.bin'))
    local.remove()
  },
})

/** The offsets, in bytes, of the parts that the page sends from now on. */
function recordOffsets(page: Page): number[] {
  const sent: number[] = []
  page.on('request', (request) => {
    if (request.method() !== 'PATCH') return
    const offset = Number(request.headers()['upload-offset'])
    sent.push(offset)
  })
  return sent
}

/** Uploads a file slowly, and loads the page again before it has arrived. @returns the offsets of the parts that were sent */
async function interrupt(
  { files, page, tcpProxy }: { files: FilesPage; page: Page; tcpProxy: TcpProxy },
  path: string,
): Promise<readonly number[]> {
  await files.openRoot()
  tcpProxy.slow(SLOW)
  const sent = recordOffsets(page)
  await files.upload('Files', path)
  await expect.poll(() => sent.length).toBeGreaterThan(1)
  page.on('dialog', (dialog) => dialog.accept())
  await page.reload()
  return [...sent]
}

test('an upload that a closed page left unfinished is offered again and resumes at its offset @spec-10.10', async ({
  files,
  uploads,
  tcpProxy,
  page,
  big,
}) => {
  const before = await interrupt({ files, page, tcpProxy }, big)
  const reached = before.at(-1) ?? SIZE

  await expect(uploads.card).toContainText('1 upload was interrupted')
  await expect(uploads.card).toContainText('big.bin')
  tcpProxy.slow(Number.POSITIVE_INFINITY)
  const other = join(big, '..', 'other.bin')
  writeFileSync(other, 'other')
  await chooseAgain(page, other)
  await expect(uploads.card.getByRole('alert')).toContainText('not one of the interrupted files')
  const after = recordOffsets(page)
  await chooseAgain(page, big)
  await expect(uploads.card).toContainText('1 file uploaded')
  expect(reached).toBeGreaterThan(0)
  expect(after[0]).toBeGreaterThanOrEqual(reached)
  await files.shows('big.bin')

  await page.reload()
  await expect(files.row('big.bin')).toBeVisible()
  await expect(uploads.card).toBeHidden()

  async function chooseAgain(on: Page, path: string): Promise<void> {
    const chooser = on.waitForEvent('filechooser')
    await uploads.card.getByRole('button', { name: 'Choose files…' }).click()
    await (await chooser).setFiles(path)
  }
})

test('what the server has of another content with the same name, size and time is not continued', async ({
  files,
  uploads,
  tcpProxy,
  page,
  server,
  big,
}) => {
  utimesSync(big, MODIFIED_S, MODIFIED_S)
  await interrupt({ files, page, tcpProxy }, big)
  await expect(uploads.card).toContainText('1 upload was interrupted')
  tcpProxy.slow(Number.POSITIVE_INFINITY)
  const other = new Uint8Array(SIZE).fill(7)
  other[1] = 8
  writeFileSync(big, other)
  utimesSync(big, MODIFIED_S, MODIFIED_S)
  const chooser = page.waitForEvent('filechooser')
  await uploads.card.getByRole('button', { name: 'Choose files…' }).click()
  await (await chooser).setFiles(big)
  await expect(uploads.card).toContainText('1 file uploaded')
  expect(readFileSync(join(server.root, 'big.bin')).equals(other)).toBe(true)
})

test('a dropped file resumes after a reload, or after the browser grants access again @spec-2.25', async ({
  files,
  uploads,
  tcpProxy,
  page,
  big,
}) => {
  // A browser that was restarted asks for permission again, and a test cannot answer its dialog.
  await page.addInitScript(() => {
    const { prototype } = FileSystemHandle as unknown as { prototype: Record<string, unknown> }
    const asks = () => sessionStorage.getItem('asks') !== null
    prototype.queryPermission = async () => (asks() ? 'prompt' : 'granted')
    prototype.requestPermission = async () => {
      sessionStorage.removeItem('asks')
      return 'granted'
    }
  })
  await files.openRoot()
  tcpProxy.slow(SLOW)
  const sent = recordOffsets(page)
  const drag = new FileDrag(page, [big])
  await drag.over(files.status)
  await drag.drop()
  await expect.poll(() => sent.length).toBeGreaterThan(1)
  page.on('dialog', (dialog) => dialog.accept())
  const reached = [sent.at(-1) ?? SIZE]
  await page.reload()
  await expect.poll(() => sent.at(-1)).toBeGreaterThan(reached[0] ?? SIZE)
  await expect(uploads.card).toContainText('Uploading 1 of 1 file')

  await page.evaluate(() => sessionStorage.setItem('asks', ''))
  reached.push(sent.at(-1) ?? SIZE)
  await page.reload()
  await expect(uploads.card).toContainText('1 upload was interrupted')
  sent.length = 0
  tcpProxy.slow(Number.POSITIVE_INFINITY)
  await uploads.card.getByRole('button', { name: 'Continue' }).click()
  await expect(uploads.card).toContainText('1 file uploaded')
  expect(sent[0]).toBeGreaterThanOrEqual(reached[1] ?? SIZE)
  await files.shows('big.bin')
})

test('a file in a dropped folder resumes after a reload @spec-2.25', async ({
  files,
  uploads,
  tcpProxy,
  page,
  big,
}) => {
  const folder = join(big, '..', 'disk')
  mkdirSync(join(folder, 'inner'), { recursive: true })
  renameSync(big, join(folder, 'inner', 'big.bin'))
  await page.addInitScript(() => {
    const { prototype } = FileSystemHandle as unknown as { prototype: Record<string, unknown> }
    prototype.queryPermission = async () => 'granted'
  })
  await files.openRoot()
  tcpProxy.slow(SLOW)
  const sent = recordOffsets(page)
  const drag = new FileDrag(page, [folder])
  await drag.over(files.status)
  await drag.drop()
  await expect.poll(() => sent.length).toBeGreaterThan(1)
  page.on('dialog', (dialog) => dialog.accept())
  const reached = sent.at(-1) ?? SIZE
  await page.reload()
  await expect.poll(() => sent.at(-1)).toBeGreaterThan(reached)
  tcpProxy.slow(Number.POSITIVE_INFINITY)
  await expect(uploads.card).toContainText('1 file uploaded')
  await files.open('/disk/inner')
  await files.shows('big.bin')
})

test('a chosen file resumes after a reload, if the browser gives a handle @spec-2.25', async ({
  files,
  uploads,
  tcpProxy,
  page,
}) => {
  // The dialog of the browser is answered by a file of its private storage, whose handle is a real one.
  await page.addInitScript((size) => {
    Object.assign(window, {
      async showOpenFilePicker() {
        const root = await navigator.storage.getDirectory()
        const handle = await root.getFileHandle('big.bin', { create: true })
        if ((await handle.getFile()).size === size) return [handle]
        const writer = await handle.createWritable()
        await writer.write(new Uint8Array(size).fill(7))
        await writer.close()
        return [handle]
      },
    })
  }, SIZE)
  await files.openRoot()
  tcpProxy.slow(SLOW)
  const sent = recordOffsets(page)
  await files.uploadButton.click()
  await expect.poll(() => sent.length).toBeGreaterThan(1)
  page.on('dialog', (dialog) => dialog.accept())
  const reached = sent.at(-1) ?? SIZE
  await page.reload()
  await expect.poll(() => sent.at(-1)).toBeGreaterThan(reached)
  tcpProxy.slow(Number.POSITIVE_INFINITY)
  await expect(uploads.card).toContainText('1 file uploaded')
  await files.shows('big.bin')
})

test('an offer disappears when it is dismissed, or when the server has deleted the upload', async ({
  files,
  uploads,
  tcpProxy,
  page,
  big,
  admin,
}) => {
  await files.openRoot()
  tcpProxy.slow(SLOW)
  page.on('dialog', (dialog) => dialog.accept())
  const sent = recordOffsets(page)
  await files.upload('Files', big)
  await expect.poll(() => sent.length).toBeGreaterThan(1)
  await page.reload()
  await expect(uploads.card).toContainText('was interrupted')
  expect((await admin.call('DELETE', `${API.tus}/big.bin`)).status).toBe(204)
  await page.reload()
  await expect(files.status).toBeVisible()
  await expect(uploads.card).toBeHidden()

  await files.upload('Files', big)
  await expect.poll(() => sent.length).toBeGreaterThan(3)
  await page.reload()
  await uploads.card.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(uploads.card).toBeHidden()
  await page.reload()
  await expect(files.status).toBeVisible()
  await expect(uploads.card).toBeHidden()
})

test('an upload that another tab is sending is not offered', async ({
  files,
  uploads,
  tcpProxy,
  page,
  big,
  context,
}) => {
  await files.openRoot()
  tcpProxy.slow(SLOW)
  await files.upload('Files', big)
  await expect(uploads.total).toBeVisible()
  const second = await context.newPage()
  await second.goto('./files/')
  await expect(second.getByRole('status').filter({ hasText: / free(?: ·|$)/ })).toBeVisible()
  await expect(second.getByRole('region', { name: 'Uploads and jobs' })).toBeHidden()
  tcpProxy.slow(Number.POSITIVE_INFINITY)
  await expect(uploads.card).toContainText('1 file uploaded')
  await page.close({ runBeforeUnload: false })
})

test('a session that ends during an upload asks for the password, and the upload continues @spec-10.10', async ({
  files,
  uploads,
  tcpProxy,
  page,
  big,
  server,
  admin,
}) => {
  await files.openRoot()
  tcpProxy.slow(SLOW)
  const sent = recordOffsets(page)
  await files.upload('Files', big)
  await expect.poll(() => sent.length).toBeGreaterThan(0)
  const sessions = await (await admin.call('GET', API.sessions)).json()
  for (const { id, current } of sessions) {
    if (!current) await admin.call('DELETE', `${API.sessions}/${id}`)
  }
  await expect(files.prompt.card).toContainText('Your session has ended', { timeout: 15_000 })
  await expect(page).toHaveURL(/\/files\/$/)
  tcpProxy.slow(Number.POSITIVE_INFINITY)
  await files.prompt.card.getByLabel('Password', { exact: true }).fill(server.password)
  await files.prompt.button('Log in').click()
  await expect(uploads.card).toContainText('1 file uploaded')
  expect(sent.at(-1)).toBeGreaterThan(0)
})
