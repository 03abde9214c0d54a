/** Archives opened as folders, without extraction. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { API } from '#wire/api/routes.ts'
import { tarOf, zipOf } from '../../../support/files/made-archives.ts'
import { signIn } from '../../../support/server/client.ts'
import type { TestServer } from '../../../support/server/server.ts'
import { expect, test } from '../../fixtures.ts'

const view = (page: Page) => page.getByRole('region', { name: 'Files in the archive' })
const list = (page: Page) => page.getByRole('table', { name: 'Files in the archive' })
const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Path in the archive' })
const rows = (page: Page) => list(page).getByRole('row').locator('td:first-child')

async function writeArchives(server: TestServer): Promise<void> {
  const dot = sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
  const entries = [
    { name: 'docs/deep/note.txt', content: 'words in an archive' },
    { name: 'docs/page.md', content: '# Heading' },
    { name: 'dot.png', content: await dot.png().toBuffer() },
    { name: 'data.bin', content: 'data' },
  ]
  writeFileSync(join(server.root, 'pack.zip'), zipOf(...entries, { name: '../out', content: 'x' }))
  writeFileSync(join(server.root, 'pack.tar'), tarOf(...entries))
  writeFileSync(join(server.root, 'broken.zip'), new Uint8Array(64))
}

test('an archive opens as a folder; folders inside are entered, and Back goes up @spec-2.41', async ({
  files,
  page,
  server,
}) => {
  await writeArchives(server)
  await files.openRoot()
  await files.row('pack.zip').dblclick()
  await expect(rows(page)).toHaveText([/^docs/, /^data\.bin/, /^dot\.png/])
  await expect(view(page)).toContainText('Some entries are not shown')
  await list(page).getByRole('link', { name: 'docs' }).click()
  await expect(rows(page)).toHaveText([/^deep/, /^page\.md/])
  await list(page).getByRole('link', { name: 'deep' }).click()
  await expect(crumbs(page).getByRole('link')).toHaveText(['pack.zip', 'docs', 'deep'])
  await list(page).getByRole('link', { name: 'note.txt' }).click()
  await expect(page.getByText('words in an archive')).toBeVisible()
  await page.goBack()
  await expect(rows(page)).toHaveText([/^note\.txt/])
  await page.goBack()
  await expect(rows(page)).toHaveText([/^deep/, /^page\.md/])
  await page.reload()
  await expect(rows(page)).toHaveText([/^deep/, /^page\.md/])
  await crumbs(page).getByRole('link', { name: 'pack.zip' }).click()
  await expect(rows(page)).toHaveText([/^docs/, /^data\.bin/, /^dot\.png/])
  await list(page).getByRole('link', { name: 'dot.png' }).click()
  await expect(page.getByRole('img', { name: 'dot.png' })).toHaveJSProperty('naturalWidth', 60)
})

test('an archive is used with the keyboard alone @spec-2.41', async ({ files, page, server }) => {
  await writeArchives(server)
  await files.openRoot()
  await files.select('pack.tar')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(3)
  await list(page).getByRole('link', { name: 'docs' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(list(page).getByRole('link', { name: 'data.bin' })).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveText([/^deep/, /^page\.md/])
  await page.keyboard.press('ArrowDown')
  await expect(list(page).getByRole('link', { name: 'deep' })).toBeFocused()
  await page.keyboard.press('Backspace')
  await expect(rows(page)).toHaveText([/^docs/, /^data\.bin/, /^dot\.png/])
  await page.keyboard.press('Backspace')
  await files.shows('broken.zip', 'pack.tar', 'pack.zip')
})

test('one file is downloaded, and the archive is extracted from its page @spec-2.41', async ({
  files,
  page,
  server,
}) => {
  await writeArchives(server)
  await files.openRoot()
  await files.row('pack.tar').dblclick()
  const saved = page.waitForEvent('download')
  await list(page).getByRole('button', { name: 'Download data.bin' }).click()
  expect((await saved).suggestedFilename()).toBe('data.bin')
  const other = page.waitForEvent('download')
  await list(page).getByRole('link', { name: 'data.bin' }).click()
  expect((await other).suggestedFilename()).toBe('data.bin')
  await view(page).getByRole('button', { name: 'Extract…' }).click()
  await expect(files.prompt.card).toContainText('Extract “pack.tar”?')
  await files.prompt.button('Extract into a folder').click()
  await expect(page.getByText('1 job finished')).toBeVisible()
  await files.open('/pack')
  await files.shows('docs', 'data.bin', 'dot.png')
})

test('Quick Look shows an archive, and stays at the same page @spec-2.41', async ({
  files,
  page,
  server,
}) => {
  await writeArchives(server)
  await files.openRoot()
  await files.select('pack.zip')
  await page.keyboard.press('Space')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('link', { name: 'docs' }).click()
  await expect(rows(page)).toHaveText([/^deep/, /^page\.md/])
  await page.keyboard.press('Backspace')
  await expect(rows(page)).toHaveText([/^docs/, /^data\.bin/, /^dot\.png/])
  expect(new URL(page.url()).pathname).toBe('/files/')
  await dialog.getByRole('button', { name: 'Extract…' }).click()
  await expect(files.prompt.card).toContainText('Extract “pack.zip”?')
})

test('a damaged archive says so, and is offered for download @spec-2.41', async ({
  files,
  page,
  server,
}) => {
  await writeArchives(server)
  await files.openRoot()
  await files.row('broken.zip').dblclick()
  await expect(page.getByRole('heading', { name: 'This archive cannot be shown' })).toBeVisible()
  await expect(page.getByText('The archive is damaged.')).toBeVisible()
  await expect(view(page).getByRole('button', { name: 'Try again' })).toHaveCount(0)
  const saved = page.waitForEvent('download')
  await view(page).getByRole('button', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toBe('broken.zip')
})

test('an archive that is too large says only that, and is offered for download @spec-2.41', async ({
  files,
  page,
  server,
}) => {
  // An archive bomb: the extraction is refused too.
  const zeros = Buffer.alloc(SERVER_LIMITS.extractFreeBytes + 1024 * 1024)
  writeFileSync(
    join(server.root, 'bomb.tar.gz'),
    gzipSync(tarOf({ name: 'zeros', content: zeros })),
  )
  await files.openRoot()
  await files.row('bomb.tar.gz').dblclick()
  await expect(
    page.getByText('The archive is too large for this server.', { exact: true }),
  ).toBeVisible()
  await expect(view(page).getByRole('button', { name: 'Try again' })).toHaveCount(0)
  const saved = page.waitForEvent('download')
  await view(page).getByRole('button', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toBe('bomb.tar.gz')
})

test('visitors open a shared archive, and download from it @spec-2.41', async ({
  browser,
  server,
}) => {
  await writeArchives(server)
  const client = await signIn(server.url, server.username, server.password)
  const made = await client.call('POST', `${API.share}/pack.zip`, {})
  const { hash } = (await made.json()) as { hash: string }
  const context = await browser.newContext({ baseURL: `${server.url}/` })
  const page = await context.newPage()
  await page.goto(`./share/${hash}`)
  await list(page).getByRole('link', { name: 'docs' }).click()
  await list(page).getByRole('link', { name: 'page.md' }).click()
  await expect(page.getByRole('heading', { name: 'Heading' })).toBeVisible()
  await page.goBack()
  const saved = page.waitForEvent('download')
  await list(page).getByRole('button', { name: 'Download page.md' }).click()
  expect((await saved).suggestedFilename()).toBe('page.md')
  await expect(view(page).getByRole('button', { name: 'Extract…' })).toHaveCount(0)
  await context.close()
})
