import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { startServer } from '../../../support/server/server.ts'
import { expect, test } from '../../fixtures.ts'
import { FilesPage } from '../../pages/FilesPage.ts'
import { LoginPage } from '../../pages/LoginPage.ts'

/** Two GiB on request (`FILEMGR_BIG_MIB=2048`); less in everyday runs. */
const BIG_BYTES = Number(process.env.FILEMGR_BIG_MIB ?? 256) * 2 ** 20
const FOLDER_FILES = 2000

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

test('files are uploaded byte for byte, with their modification times', { tag: '@both' }, async ({
  files,
  server,
  uploads,
}) => {
  await files.openRoot()
  const local = temporaryFolder()
  writeFileSync(join(local.path, 'small #1.txt'), 'small')
  writeFileSync(join(local.path, 'large.bin'), crypto.getRandomValues(new Uint8Array(60_000)))
  writeFileSync(join(local.path, 'empty'), '')
  const names = ['small #1.txt', 'large.bin', 'empty']
  const modified = new Date('2020-03-01T12:00:00Z')
  for (const name of names) utimesSync(join(local.path, name), modified, modified)
  await files.upload(
    'Files',
    names.map((name) => join(local.path, name)),
  )
  await expect(uploads.card).toContainText('3 files uploaded')
  await files.shows('empty', 'large.bin', 'small #1.txt')
  for (const name of names) {
    expect(await digest(join(server.root, name))).toBe(await digest(join(local.path, name)))
    expect(statSync(join(server.root, name)).mtimeMs).toBe(modified.getTime())
  }
  local.remove()
})

test('files that are chosen after a garbage collection are uploaded', async ({
  files,
  page,
  uploads,
}) => {
  await files.openRoot()
  const local = temporaryFolder()
  const path = join(local.path, 'late.txt')
  writeFileSync(path, 'late')
  // Playwright's own file chooser keeps the file input alive.
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.enable')
  await browser.send('Page.setInterceptFileChooserDialog', { enabled: true })
  const opened = new Promise<number>((resolve) => {
    browser.once('Page.fileChooserOpened', ({ backendNodeId = 0 }) => resolve(backendNodeId))
  })
  await files.uploadButton.click()
  const backendNodeId = await opened
  await browser.send('HeapProfiler.collectGarbage')
  await browser.send('DOM.setFileInputFiles', { files: [path], backendNodeId })
  await expect(uploads.card).toContainText('1 file uploaded')
  await files.shows('late.txt')
  local.remove()
})

test(`a folder of ${FOLDER_FILES} files is uploaded with its structure @spec-4.2`, async ({
  files,
  page,
  server,
  uploads,
}) => {
  await files.openRoot()
  test.setTimeout(120_000)
  const local = temporaryFolder()
  const name = (index: number) => `tree/${index % 7}/${index % 3}/file ${index}%.txt`
  for (let index = 0; index < FOLDER_FILES; index += 1) {
    const path = join(local.path, name(index))
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, `content of ${index}`.repeat(index % 50))
  }
  const sent = { batches: 0, files: 0 }
  page.on('request', (request) => {
    if (request.method() !== 'POST') return
    if (request.url().includes(API.batch)) sent.batches += 1
    else if (request.url().endsWith('.txt?override=false')) sent.files += 1
  })
  await files.upload('A folder', join(local.path, 'tree'))
  await expect(uploads.card).toContainText('2,000 files uploaded', { timeout: 100_000 })
  // The whole folder is one row.
  await expect(uploads.card.getByRole('listitem')).toHaveCount(1)
  await expect(uploads.card.getByRole('listitem')).toContainText('2,000 of 2,000 files')
  // Small files are sent in batches.
  expect(sent.batches).toBe(FOLDER_FILES / 100)
  expect(sent.files).toBe(0)
  for (let index = 0; index < FOLDER_FILES; index += 1) {
    expect(statSync(join(server.root, name(index))).size).toBe(
      statSync(join(local.path, name(index))).size,
    )
  }
  await files.shows('tree')
  local.remove()
})

test('a name collision asks; a file that is not replaced stays @spec-4.6', async ({
  files,
  server,
  uploads,
}) => {
  const local = temporaryFolder()
  for (const name of ['a.txt', 'b.txt']) {
    writeFileSync(join(local.path, name), 'new')
  }
  writeFileSync(join(server.root, 'a.txt'), 'old')
  await files.openRoot()
  const picked = ['a.txt', 'b.txt'].map((name) => join(local.path, name))
  await files.upload('Files', picked)
  await files.prompt.button('Keep both').click()
  await expect(uploads.card).toContainText('2 files uploaded')
  await files.shows('a.txt', 'a(1).txt', 'b.txt')
  expect(readFileSync(join(server.root, 'a.txt'), 'utf8')).toBe('old')
  expect(readFileSync(join(server.root, 'a(1).txt'), 'utf8')).toBe('new')
  local.remove()
})

test('hundreds of small files ask once about all name collisions', async ({
  files,
  server,
  uploads,
}) => {
  const local = temporaryFolder()
  const names = Array.from({ length: 300 }, (_, at) => `file ${at}.txt`)
  for (const name of names) writeFileSync(join(local.path, name), `new ${name}`)
  const taken = names.slice(0, 20)
  for (const name of taken) writeFileSync(join(server.root, name), 'old')
  await files.openRoot()
  await files.upload(
    'Files',
    names.map((name) => join(local.path, name)),
  )
  await files.prompt.button(/^Skip these 20/).click()
  await expect(uploads.card).toContainText('280 files uploaded')
  for (const name of names) {
    const content = taken.includes(name) ? 'old' : `new ${name}`
    expect(readFileSync(join(server.root, name), 'utf8')).toBe(content)
  }
  local.remove()
})

test('an interrupted upload is resumed: only smaller files are replaced @spec-4.6', async ({
  files,
  server,
  uploads,
}) => {
  const local = temporaryFolder()
  const sizes = { 'half.bin': [10, 4], 'whole.bin': [10, 10], 'grown.bin': [10, 20] } as const
  for (const [name, [ours, theirs]] of Object.entries(sizes)) {
    writeFileSync(join(local.path, name), 'n'.repeat(ours))
    writeFileSync(join(server.root, name), 'o'.repeat(theirs))
  }
  await files.openRoot()
  await files.upload(
    'Files',
    Object.keys(sizes).map((name) => join(local.path, name)),
  )
  await files.prompt.button('Replace only incomplete (smaller) files').click()
  await expect(files.prompt.card.getByLabel('half.bin')).toHaveValue('replace')
  await expect(files.prompt.card.getByLabel('whole.bin')).toHaveValue('skip')
  await files.prompt.button('Continue').click()
  await expect(uploads.card).toContainText('1 file uploaded')
  const there = Object.keys(sizes).map((name) => readFileSync(join(server.root, name), 'utf8'))
  expect(there).toEqual(['n'.repeat(10), 'o'.repeat(10), 'o'.repeat(20)])
  local.remove()
})

test('an upload continues after the server is killed and started again @spec-8.5', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  mkdirSync(root)
  const source = join(folder.path, 'big.bin')
  const block = crypto.getRandomValues(new Uint8Array(65_536))
  const blocks = Array.from({ length: 16 }, () => block)
  writeFileSync(source, '')
  for (let written = 0; written < BIG_BYTES; written += 2 ** 20) {
    block[0] = (written / 2 ** 20) % 256
    writeFileSync(source, Buffer.concat(blocks), { flag: 'a' })
  }
  const database = join(folder.path, 'f.db')
  const first = await startServer({ root, database })
  const { port } = new URL(first.url)
  const files = new FilesPage(page)
  const login = new LoginPage(page)
  await page.goto(`${first.url}/login`)
  await login.logIn('admin', first.password)
  await expect(files.status).toBeVisible()
  await files.upload('Files', source)

  const staged = join(root, '.filemgr', 'uploads')
  const arrived = () =>
    readdirSync(staged).reduce((sum, name) => sum + statSync(join(staged, name)).size, 0)
  await expect.poll(arrived, { intervals: [20], timeout: 60_000 }).toBeGreaterThan(BIG_BYTES / 2)
  first.kill('SIGKILL')
  await first.stop()
  expect(existsSync(join(root, 'big.bin'))).toBe(false)
  expect(arrived()).toBeLessThan(BIG_BYTES)
  await expect(page.getByText('Waiting for the connection…')).toBeVisible()

  const second = await startServer({ root, database, args: ['--port', port] })
  await expect(page.getByText('1 file uploaded')).toBeVisible({ timeout: 120_000 })
  expect(await digest(join(root, 'big.bin'))).toBe(await digest(source))
  expect(readdirSync(root).sort()).toEqual(['.filemgr', 'big.bin'])
  await files.shows('big.bin')
  await second.stop()
  folder.remove()
})

test.describe('the staged bytes of a server', () => {
  test.use({ ownServer: true })

  test('cancelling an upload asks first, and leaves nothing on the server @spec-2.47', async ({
    files,
    server,
    uploads,
    page,
  }) => {
    await files.openRoot()
    const local = temporaryFolder()
    writeFileSync(join(local.path, 'slow.bin'), new Uint8Array(200 * 2 ** 20))
    await files.upload('Files', join(local.path, 'slow.bin'))
    await uploads.card.getByRole('button', { name: 'Stop all uploads' }).click()
    await files.prompt.card.getByRole('button').last().click()
    await expect(uploads.card).toBeHidden()
    await expect(page.getByText('This folder is empty')).toBeVisible()
    await expect.poll(() => readdirSync(join(server.root, '.filemgr', 'uploads'))).toEqual([])
    local.remove()
  })
})
