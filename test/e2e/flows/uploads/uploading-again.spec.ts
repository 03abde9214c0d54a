/** A file that was uploaded before is sent again, whatever became of it: what the page calls uploaded is on the server. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { test as base, expect } from '../../fixtures.ts'

/** Above the size from which files are sent resumably. */
const SIZE = 3 * 2 ** 20

interface Fixtures {
  big: { path: string; bytes: Buffer }
  /** The page is open, and has uploaded `big` to the root. */
  uploaded: undefined
}

const test = base.extend<Fixtures>({
  // Playwright reads the names of the fixtures it needs from the pattern; this one needs none.
  // biome-ignore lint/correctness/noEmptyPattern: the pattern is the declaration
  big: async ({}, use) => {
    const local = temporaryFolder()
    const path = join(local.path, 'big.bin')
    const bytes = randomBytes(SIZE)
    writeFileSync(path, bytes)
    await use({ path, bytes })
    local.remove()
  },
  uploaded: async ({ files, uploads, server, big }, use) => {
    await files.openRoot()
    await files.upload('Files', big.path)
    // Two steps, each with its own time limit: on a slow machine both together may take longer.
    await expect.poll(isStored(server.root, big.bytes)).toBe(true)
    await expect(uploads.card).toContainText('1 file uploaded')
    await use(undefined)
  },
})

/** Whether the file on the server has exactly these bytes. */
const isStored = (root: string, bytes: Buffer) => () => {
  const path = join(root, 'big.bin')
  return existsSync(path) && readFileSync(path).equals(bytes)
}

test('an uploaded file that was deleted by key is uploaded again, byte for byte @spec-8.9', async ({
  files,
  uploads,
  server,
  big,
  page,
  uploaded: _,
}) => {
  await files.select('big.bin')
  await page.keyboard.press('Delete')
  await files.shows()
  await expect.poll(() => existsSync(join(server.root, 'big.bin'))).toBe(false)
  await files.upload('Files', big.path)
  await expect.poll(isStored(server.root, big.bytes)).toBe(true)
  await expect(uploads.card).toContainText('1 file uploaded')
  await files.shows('big.bin')
})

test('an uploaded file whose upload was undone is uploaded again, byte for byte @spec-8.9', async ({
  files,
  server,
  big,
  uploaded: _,
}) => {
  await files.toasts.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => existsSync(join(server.root, 'big.bin'))).toBe(false)
  await files.shows()
  await files.upload('Files', big.path)
  await expect.poll(isStored(server.root, big.bytes)).toBe(true)
  await files.shows('big.bin')
})

test('an uploaded file that somebody has renamed is uploaded again, byte for byte @spec-8.9', async ({
  files,
  server,
  admin,
  big,
  uploaded: _,
}) => {
  const renamed = `${API.resources}/big.bin?action=rename&destination=%2Fkept.bin`
  expect((await admin.call('PATCH', renamed)).status).toBe(200)
  await files.shows('kept.bin')
  await files.upload('Files', big.path)
  await files.shows('big.bin', 'kept.bin')
  expect(isStored(server.root, big.bytes)()).toBe(true)
})

test('a file replaces the other content that somebody has saved over its earlier upload @spec-8.9', async ({
  files,
  uploads,
  server,
  admin,
  big,
  uploaded: _,
}) => {
  const saved = await admin.call('PUT', `${API.resources}/big.bin`, 'somebody’s content')
  expect(saved.status).toBe(200)
  await files.upload('Files', big.path)
  await files.prompt.button('Replace file').click()
  await expect.poll(isStored(server.root, big.bytes)).toBe(true)
  await expect(uploads.card).toContainText('1 file uploaded')
})

test('a file that is gone right after its last byte is not called uploaded, and can be sent again @spec-8.9', async ({
  files,
  uploads,
  server,
  big,
  page,
}) => {
  let removals = 0
  // The page asks for the file after its last byte. Another program is faster.
  await page.route('**/api/resources/big.bin', async (route) => {
    if (removals === 0) renameSync(join(server.root, 'big.bin'), join(server.root, 'gone.bin'))
    removals += 1
    await route.continue()
  })
  await files.openRoot()
  await files.upload('Files', big.path)
  await expect(uploads.card).toContainText('The server does not have the file as it was sent')
  await expect(uploads.card).not.toContainText('1 file uploaded')
  rmSync(join(server.root, 'gone.bin'))
  await uploads.card.getByRole('button', { name: /^Try again/ }).click()
  await expect(uploads.card).toContainText('1 file uploaded')
  await expect.poll(isStored(server.root, big.bytes)).toBe(true)
})
