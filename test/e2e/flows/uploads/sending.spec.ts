/** The panel during an upload. The test holds the last parts, so that the upload does not end too early. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { signIn } from '../../../support/server/client.ts'
import { started } from '../../../support/server/jobs.ts'
import { gate } from '../../../support/storage/gate.ts'
import { test as base, expect } from '../../fixtures.ts'
import type { FilesPage } from '../../pages/FilesPage.ts'

const PART_BYTES = 2 ** 20
const PARTS = 4

/** Uploads `half.bin` in four parts, of which the last two are held, and `whole.bin` in one part. */
const test = base.extend<{ release: () => void }>({
  release: async ({ page, files, server }, use) => {
    const admin = await signIn(server.url, server.username, server.password)
    const tus = { chunkSize: PART_BYTES, retryCount: 5 }
    expect((await admin.call('PUT', API.settings, { tus })).status).toBe(200)
    await files.openRoot()
    const local = temporaryFolder()
    writeFileSync(join(local.path, 'half.bin'), new Uint8Array(PARTS * PART_BYTES))
    writeFileSync(join(local.path, 'whole.bin'), 'whole')
    const release = await hold(page, 'half.bin', 2 * PART_BYTES)
    await startUpload(
      files,
      ['half.bin', 'whole.bin'].map((name) => join(local.path, name)),
    )
    await use(release)
    release()
    local.remove()
  },
})

/** Holds the parts of the file `name` that begin at `offset` or later. @returns a function that releases them */
async function hold(page: Page, name: string, offset: number): Promise<() => void> {
  const { opened, open } = gate()
  await page.route(`**${API.tus}/${name}*`, async (route) => {
    const request = route.request()
    const at = Number(request.headers()['upload-offset'] ?? 0)
    if (request.method() === 'PATCH' && at >= offset) await opened
    // The page may be gone by then.
    await route.continue().catch(() => undefined)
  })
  return open
}

async function startUpload(files: FilesPage, paths: string[]): Promise<void> {
  await files.upload('Files', paths)
}

test('the panel shows the progress of each file and of all, the speed and the remaining time @spec-2.47', async ({
  uploads,
  release,
  files,
  server,
  admin,
}) => {
  const bar = (name: string) =>
    uploads.card.getByRole('progressbar', { name: `Progress of ${name}`, exact: true })
  await expect(bar('half.bin')).toHaveAttribute('aria-valuenow', '50')
  await expect(uploads.total).toHaveAttribute('aria-valuenow', '50')
  await expect(uploads.card).toContainText('Uploading 2 of 2 files')
  await expect(uploads.card).toContainText('2 MiB of 4 MiB')
  await expect(uploads.card).toContainText(/[1-9][\d.]* [KM]iB\/s · \d+ (second|minute)s? left/)
  const whole = uploads.card.getByRole('listitem').filter({ hasText: 'whole.bin' })
  await expect(whole.getByRole('img', { name: 'Uploaded' })).toBeVisible()
  // Files that are being uploaded have rows in the folder.
  const uploadingRows = files.grid.getByRole('rowgroup', { name: 'Being uploaded' })
  await expect(uploadingRows.getByRole('row').filter({ hasText: 'half.bin' })).toContainText('50%')

  // A job of the server is a row of the same list, also if another user started it.
  for (const folder of ['from', 'to']) {
    mkdirSync(join(server.root, folder))
    writeFileSync(join(server.root, folder, 'taken.txt'), folder)
  }
  await started(admin, { kind: 'copy', items: [{ path: '/from/taken.txt' }], to: '/to' })
  await expect(uploads.card).toContainText('Something with this name is already there.')
  await expect(uploads.card.getByRole('list', { name: 'Problems' })).toBeVisible()
  await expect(uploads.card.locator('> section > ul > li')).toHaveCount(3)
  release()
  await expect(uploads.card).toContainText('2 files uploaded, 1 job with problems')
  await files.shows('from', 'to', 'half.bin', 'whole.bin')
  await expect(uploadingRows).toBeHidden()
  await uploads.card.getByRole('button', { name: 'Close', exact: true }).press('Enter')
  await expect(uploads.card).toBeHidden()
})

test('a picture is shown while it is uploaded, in the panel and in the folder', async ({
  page,
  files,
  uploads,
  admin,
}) => {
  await admin.call('PUT', API.settings, { tus: { chunkSize: PART_BYTES, retryCount: 5 } })
  await files.openRoot()
  const local = temporaryFolder()
  const plain = sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
  const picture = await plain.png().toBuffer()
  // What follows the picture is not read; the file is large enough to be sent in parts.
  const half = Buffer.concat([picture, new Uint8Array(PARTS * PART_BYTES)])
  const contents = { 'half.png': half, 'broken.png': 'no picture', 'notes.txt': 'text' }
  for (const [name, content] of Object.entries(contents)) {
    writeFileSync(join(local.path, name), content)
  }
  const release = await hold(page, 'half.png', 2 * PART_BYTES)
  await startUpload(
    files,
    Object.keys(contents).map((name) => join(local.path, name)),
  )
  const rows = uploads.card.getByRole('listitem')
  const width = (img: HTMLImageElement) => img.naturalWidth
  await expect(rows).toHaveCount(3)
  const inPanel = rows.filter({ hasText: 'half.png' }).getByAltText('', { exact: true })
  await expect.poll(() => inPanel.evaluate(width)).toBe(60)
  const arriving = files.grid.getByRole('rowgroup', { name: 'Being uploaded' }).getByRole('row')
  const inFolder = arriving.filter({ hasText: 'half.png' }).getByAltText('', { exact: true })
  await expect.poll(() => inFolder.evaluate(width)).toBe(60)
  // Files that are no pictures have the icon of their kind.
  await expect(rows.locator('img')).toHaveCount(1)
  release()
  await expect(uploads.card).toContainText('3 files uploaded')
  local.remove()
})

test('the window title shows the progress of all uploads, on every screen @spec-2.24', async ({
  uploads,
  release,
  page,
}) => {
  await expect(uploads.total).toHaveAttribute('aria-valuenow', '50')
  await expect(page).toHaveTitle(/^50% · My files/)
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveTitle(/^50% · (?!My files)/)
  await page.goBack()
  release()
  await expect(uploads.card).toContainText('2 files uploaded')
  await expect(page).toHaveTitle(/^My files/)
})

test('the upload button opens the file dialog at once, and folders are in its menu @spec-2.24', async ({
  uploads,
  release,
  files,
  page,
}) => {
  release()
  await expect(uploads.card).toContainText('2 files uploaded')
  const opening = page.waitForEvent('filechooser')
  await files.uploadButton.press('Enter')
  const many = await opening
  expect(many.isMultiple()).toBe(true)
  expect(await many.element().getAttribute('webkitdirectory')).toBeNull()
  await files.action('More ways to upload').press('Enter')
  const folder = page.waitForEvent('filechooser')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await (await folder).element().getAttribute('webkitdirectory')).not.toBeNull()
})

test('the folded panel shows the total; unfolded, it shows each file @spec-2.47', async ({
  uploads,
  release,
}) => {
  const bar = uploads.card.getByRole('progressbar', { name: 'Progress of half.bin' })
  await expect(bar).toHaveAttribute('aria-valuenow', '50')
  await uploads.card.getByRole('button', { name: 'Collapse', exact: true }).click()
  await expect(bar).toBeHidden()
  await expect(uploads.card).not.toContainText('half.bin')
  await expect(uploads.total).toHaveAttribute('aria-valuenow', '50')
  await uploads.unfold()
  await expect(bar).toBeVisible()
  release()
  await expect(uploads.card).toContainText('2 files uploaded')
})

test('leaving the page during an upload asks first, and afterwards it does not @spec-4.2', async ({
  page,
  uploads,
  release,
}) => {
  await expect(uploads.total).toHaveAttribute('aria-valuenow', '50')
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  expect(page.isClosed()).toBe(false)

  release()
  await expect(uploads.card).toContainText('2 files uploaded')
  const gone = page.waitForEvent('close')
  await page.close({ runBeforeUnload: true })
  await gone
})
