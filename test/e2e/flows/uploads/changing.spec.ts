import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { openTcpProxy } from '../../../support/server/tcp-proxy.ts'
import { test as base, expect } from '../../fixtures.ts'

const SIZE = 6 * 2 ** 20
/** Bytes per second. */
const SLOW = 1.5 * 2 ** 20

/** The page reaches the server through a proxy that can be slowed. */
const test = base.extend<{ tcpProxy: Awaited<ReturnType<typeof openTcpProxy>>; file: string }>({
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
  file: async ({}, use) => {
    const local = temporaryFolder()
    writeFileSync(join(local.path, 'data.bin'), new Uint8Array(SIZE).fill(7))
    await use(join(local.path, 'data.bin'))
    local.remove()
  },
})

test('a file that changes while it is sent is not published, and its row says so', async ({
  files,
  server,
  uploads,
  tcpProxy,
  page,
  file,
}) => {
  writeFileSync(join(server.root, 'data.bin'), 'of the server')
  await files.openRoot()
  tcpProxy.slow(SLOW)
  await files.upload('Files', file)
  await files.prompt.button('Replace file').click()
  // A third of the file has left the browser.
  await expect.poll(() => uploads.percent()).toBeGreaterThan(30)
  writeFileSync(file, new Uint8Array(SIZE).fill(9))
  tcpProxy.slow(Number.POSITIVE_INFINITY)
  await expect(uploads.card).toContainText('1 file not uploaded')
  await expect(uploads.card).toContainText('The file changed while it was sent')
  await expect(uploads.card.getByRole('button', { name: /^Try again/ })).toBeHidden()
  expect(readFileSync(join(server.root, 'data.bin'), 'utf8')).toBe('of the server')
  await page.goto('./settings/trash')
  await expect(page.getByRole('heading', { name: 'Trash' }).first()).toBeVisible()
  await expect(page.getByText('Unfinished uploads')).toBeHidden()
})

test('a file that does not change arrives whole, in parts', async ({
  files,
  server,
  uploads,
  file,
}) => {
  await files.openRoot()
  await files.upload('Files', file)
  await expect(uploads.card).toContainText('1 file uploaded')
  expect(readdirSync(server.root).filter((name) => !name.startsWith('.'))).toEqual(['data.bin'])
  expect(readFileSync(join(server.root, 'data.bin')).equals(readFileSync(file))).toBe(true)
})
