/** The trash: deleted entries are restored, or deleted permanently. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { LIMITS } from '#wire/limits.ts'
import type { Client } from '../../../support/server/client.ts'
import { expect, test } from '../../fixtures.ts'

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
  const rows = page.getByRole('list', { name: 'Trash' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Restore /a.bin' }).click()
  await expect(rows).toHaveCount(2)
  await expect(page.getByText('Restored to /a.bin')).toBeVisible()
  expect(readFileSync(join(server.root, 'a.bin'), 'utf8')).toBe('a.bin')
  await page.getByRole('button', { name: 'Delete /b.bin permanently' }).click()
  await files.prompt.button('Delete permanently').click()
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Empty trash' }).click()
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
  const rows = page.getByRole('list', { name: 'Trash' }).getByRole('listitem')
  const count = LIMITS.auditPage + 5
  await fillTrash(admin, server.root, count)
  await settings.open('trash')
  await expect(rows).toHaveCount(LIMITS.auditPage)
  await settings.button('Show more').click()
  await expect(rows).toHaveCount(count)
  await expect(settings.button('Show more')).toBeHidden()
  await expect(rows.last()).toContainText('/0.bin')

  await settings.button('Restore /0.bin').click()
  await expect(settings.toasts).toContainText('Restored to /0.bin')
  await expect(rows).toHaveCount(count - 1)
  await expect(rows.last()).toContainText('/1.bin')
  expect(readFileSync(join(server.root, '0.bin'), 'utf8')).toBe('0')
  await settings.button('Delete /1.bin permanently').click()
  await files.prompt.button('Delete permanently').click()
  await expect(rows).toHaveCount(count - 2)
  await expect(rows.last()).toContainText('/2.bin')
})

test('a large trash is shown page by page, and emptied with what the page has not loaded', async ({
  files,
  page,
  server,
  settings,
  admin,
}) => {
  const rows = page.getByRole('list', { name: 'Trash' }).getByRole('listitem')
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
