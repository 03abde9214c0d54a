/** The trash: deleted entries are restored, or deleted permanently. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { API } from '#wire/api/routes.ts'
import { LIMITS } from '#wire/limits.ts'
import { parsePath, toUrlPath } from '#wire/paths.ts'
import type { Client } from '../../../support/server/client.ts'
import { expect, test } from '../../fixtures.ts'

/** The rows of the list, without its header. */
const rowsOf = (page: Page) =>
  page
    .getByRole('grid', { name: 'Trash' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })

test('a deleted entry is restored, and the others are deleted permanently', async ({
  files,
  page,
  server,
}) => {
  for (const name of ['a.bin', 'b.bin']) writeFileSync(join(server.root, name), name)
  mkdirSync(join(server.root, 'folder'))
  await files.openRoot()
  await files.shows('folder', 'a.bin', 'b.bin')
  await files.select('folder', 'a.bin', 'b.bin')
  await page.keyboard.press('Delete')
  await files.shows()
  await page.getByRole('link', { name: 'Trash', exact: true }).first().click()
  const rows = rowsOf(page)
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Restore /a.bin' }).click()
  await expect(rows).toHaveCount(2)
  await expect(page.getByText('Restored to /a.bin')).toBeVisible()
  expect(readFileSync(join(server.root, 'a.bin'), 'utf8')).toBe('a.bin')
  await page.getByRole('button', { name: 'Delete /b.bin permanently' }).click()
  await files.prompt.button('Delete permanently').click()
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Empty trash' }).click()
  await expect(files.prompt.card).toContainText('1 item · This cannot be undone.')
  await files.prompt.button('Delete permanently').click()
  await expect(page.getByText('The trash is empty')).toBeVisible()
  expect(existsSync(join(server.root, 'b.bin'))).toBe(false)
})

test('a folder whose name was taken meanwhile is restored with a name that is shown', async ({
  page,
  server,
  settings,
  admin,
}) => {
  mkdirSync(join(server.root, 'docs'))
  writeFileSync(join(server.root, 'docs/kept'), 'kept')
  expect((await admin.call('DELETE', `${API.resources}/docs`)).ok).toBe(true)
  mkdirSync(join(server.root, 'docs'))
  await settings.open('trash')
  await page.getByRole('button', { name: 'Restore /docs' }).click()
  await expect(settings.toasts).toContainText('The name was taken. Restored as /docs(1)')
  expect(existsSync(join(server.root, 'docs(1)/kept'))).toBe(true)
})

/** Deletes files of these names and sizes, the first one first. */
async function deleteFiles(admin: Client, root: string, sizes: Record<string, number>) {
  for (const [name, size] of Object.entries(sizes)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), 'x'.repeat(size))
    const url = API.resources + toUrlPath(parsePath(name))
    expect((await admin.call('DELETE', url)).ok).toBe(true)
  }
}

const SIZES = { 'b.bin': 300, 'Reports/ä.txt': 100, 'a.bin': 200, 'c.bin': 400 }

test('the trash is sorted and filtered like a folder, and says how long it keeps each item', async ({
  page,
  server,
  settings,
  admin,
}) => {
  await deleteFiles(admin, server.root, SIZES)
  await settings.open('trash')
  const rows = rowsOf(page)
  await expect(rows).toContainText(['c.bin', 'a.bin', 'ä.txt', 'b.bin'])
  await expect(rows.first()).toContainText(/(29|30) days left/)
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect(rows).toContainText(['a.bin', 'ä.txt', 'b.bin', 'c.bin'])
  await page.getByRole('button', { name: 'Size', exact: true }).click()
  await expect(rows).toContainText(['c.bin', 'b.bin', 'a.bin', 'ä.txt'])
  await page.getByRole('textbox', { name: 'Filter by name' }).fill('A')
  await expect(rows).toContainText(['a.bin', 'ä.txt'])
  await expect(page.getByText('2 of 4')).toBeVisible()
  await page.getByRole('textbox', { name: 'Filter by name' }).fill('nothing')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(rows).toHaveCount(4)
})

test('the size of a deleted folder appears without a reload, and its first day is not over', async ({
  page,
  server,
  settings,
  admin,
}) => {
  mkdirSync(join(server.root, 'folder'))
  writeFileSync(join(server.root, 'folder/a'), 'x'.repeat(2048))
  expect((await admin.call('DELETE', `${API.resources}/folder`)).ok).toBe(true)
  // The page is open before the server has measured the folder.
  await page.route('**/api/trash?*', async (route) => {
    const response = await route.fetch()
    const items: TrashItemInfo[] = await response.json()
    await route.fulfill({ response, json: items.map((item) => ({ ...item, size: -1 })) })
  })
  await settings.open('trash')
  const row = rowsOf(page).filter({ hasText: 'folder' })
  await expect(row).toContainText('—')
  await page.unroute('**/api/trash?*')
  await expect(row).toContainText('2.0 KiB')
  await expect(row).toContainText('30 days left')
})

test('several items are selected with Ctrl, Shift and keys, restored together, and deleted together', async ({
  files,
  page,
  server,
  settings,
  admin,
}) => {
  await deleteFiles(admin, server.root, SIZES)
  await settings.open('trash')
  const rows = rowsOf(page)
  const selected = page.getByRole('row', { selected: true })
  const row = (name: string) => rows.filter({ hasText: name })
  await row('c.bin').getByText('c.bin').first().click()
  await row('ä.txt').click({ modifiers: ['Shift'], position: { x: 300, y: 10 } })
  await expect(selected).toContainText(['c.bin', 'a.bin', 'ä.txt'])
  await row('a.bin').click({ modifiers: ['ControlOrMeta'], position: { x: 300, y: 10 } })
  await expect(selected).toContainText(['c.bin', 'ä.txt'])
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('2 selected')
  await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click()
  await expect(settings.toasts).toContainText('Items restored: 2')
  await expect(rows).toContainText(['a.bin', 'b.bin'])
  expect(existsSync(join(server.root, 'c.bin'))).toBe(true)
  expect(existsSync(join(server.root, 'Reports/ä.txt'))).toBe(true)

  await page.getByRole('grid', { name: 'Trash' }).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(selected).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(selected).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await expect(page.getByRole('dialog')).toContainText('Delete 2 items?')
  await expect(page.getByRole('dialog')).toContainText('This cannot be undone.')
  await files.prompt.button('Delete permanently').click()
  await expect(page.getByText('The trash is empty')).toBeVisible()
})

test('a deleted picture is shown, and its folder opens in a new tab with the middle button', async ({
  page,
  server,
  settings,
  admin,
  context,
}) => {
  mkdirSync(join(server.root, 'Album'))
  const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
  writeFileSync(join(server.root, 'Album/red.png'), await picture.png().toBuffer())
  expect((await admin.call('DELETE', `${API.resources}/Album/red.png`)).ok).toBe(true)
  await settings.open('trash')
  const row = rowsOf(page).filter({ hasText: 'red.png' })
  await expect(row.getByAltText('', { exact: true })).toHaveJSProperty('naturalWidth', 40)
  const tab = context.waitForEvent('page')
  await row.getByRole('link', { name: '/Album' }).click({ button: 'middle' })
  await expect(await tab).toHaveURL(/\/files\/Album\/$/)
  await row.click({ button: 'right', position: { x: 300, y: 10 } })
  await page.getByRole('menuitem', { name: 'Show in folder' }).click()
  await expect(page).toHaveURL(/\/files\/Album\/$/)
})

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('a tap selects, and the actions are at the bottom', async ({
    page,
    server,
    settings,
    admin,
  }) => {
    await deleteFiles(admin, server.root, SIZES)
    await settings.open('trash')
    const rows = rowsOf(page)
    for (const name of ['a.bin', 'c.bin'])
      await rows.filter({ hasText: name }).tap({ position: { x: 90, y: 12 } })
    const bar = page.getByRole('toolbar', { name: 'Selection' })
    await expect(bar).toContainText('2 selected')
    await expect(bar).toBeInViewport({ ratio: 1 })
    await bar.getByRole('button', { name: 'Restore' }).tap()
    await expect(rows).toContainText(['ä.txt', 'b.bin'])
    await expect(bar).toBeHidden()
  })
})

/** Deletions that run together. */
const AT_ONCE = 10

/** Fills the trash with `0.bin`, `1.bin`, …; the first three are the oldest, in this order. */
async function fillTrash(admin: Client, root: string, count: number): Promise<void> {
  const remove = async (at: number) => {
    writeFileSync(join(root, `${at}.bin`), String(at))
    expect((await admin.call('DELETE', `${API.resources}/${at}.bin`)).ok).toBe(true)
  }
  for (let at = 0; at < 3; at += 1) await remove(at)
  for (let first = 3; first < count; first += AT_ONCE) {
    const group = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, at) => first + at)
    await Promise.all(group.map(remove))
  }
}

test('the oldest entries of a large trash are shown, restored and deleted', async ({
  files,
  page,
  server,
  settings,
  admin,
}) => {
  const rows = rowsOf(page)
  const count = LIMITS.auditPage + 5
  await fillTrash(admin, server.root, count)
  await settings.open('trash')
  await expect(rows).toHaveCount(LIMITS.auditPage)
  await settings.button('Show more').click()
  await expect(rows).toHaveCount(count)
  await expect(settings.button('Show more')).toBeHidden()
  await expect(rows.last()).toContainText('0.bin')
  // The first page was sorted alone, before the others were loaded.
  await page.getByRole('button', { name: 'Deleted' }).click()
  await expect(rows.first()).toContainText('0.bin')
  await page.getByRole('button', { name: 'Deleted' }).click()
  await expect(rows.last()).toContainText('0.bin')

  await settings.button('Restore /0.bin').click()
  await expect(settings.toasts).toContainText('Restored to /0.bin')
  await expect(rows).toHaveCount(count - 1)
  await expect(rows.last()).toContainText('1.bin')
  expect(readFileSync(join(server.root, '0.bin'), 'utf8')).toBe('0')
  await settings.button('Delete /1.bin permanently').click()
  await files.prompt.button('Delete permanently').click()
  await expect(rows).toHaveCount(count - 2)
  await expect(rows.last()).toContainText('2.bin')
})

test('a large trash is shown page by page, and emptied with what the page has not loaded', async ({
  files,
  page,
  server,
  settings,
  admin,
}) => {
  const rows = rowsOf(page)
  const count = 2 * LIMITS.auditPage + 5
  await fillTrash(admin, server.root, count)
  await settings.open('trash')
  await expect(rows).toHaveCount(LIMITS.auditPage)
  await settings.button('Show more').click()
  await expect(rows).toHaveCount(2 * LIMITS.auditPage)
  await expect(settings.button('Show more')).toBeVisible()
  await settings.button('Empty trash').click()
  await files.prompt.button('Delete permanently').click()
  await expect(page.getByText('The trash is empty')).toBeVisible()
  expect(await (await admin.call('GET', API.trash)).json()).toEqual([])
})
