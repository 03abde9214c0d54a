/** The trash: deleted entries are restored, or deleted permanently. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../fixtures.ts'

test('a deleted entry is restored, and the others are deleted permanently', async ({
  files,
  page,
  server,
}) => {
  for (const name of ['a.bin', 'b.bin']) writeFileSync(join(server.root, name), name)
  mkdirSync(join(server.root, 'folder'))
  await page.reload()
  await files.shows('folder', 'a.bin', 'b.bin')
  await files.select('folder', 'a.bin', 'b.bin')
  await page.keyboard.press('Delete')
  await files.prompt.button('Delete 3 items').click()
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
