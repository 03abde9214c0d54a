/** What was changed is taken back: by the message's button, and by the keys. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../fixtures.ts'

test('a deletion is undone by the button of its message', async ({ files, page, server }) => {
  for (const name of ['a.bin', 'b.bin', 'c.bin']) writeFileSync(join(server.root, name), name)
  await page.reload()
  await files.shows('a.bin', 'b.bin', 'c.bin')
  await files.select('a.bin', 'b.bin')
  await page.keyboard.press('Delete')
  await files.prompt.button('Delete 2 items').click()
  await files.shows('c.bin')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await files.shows('a.bin', 'b.bin', 'c.bin')
  await expect(page.getByText('Undone', { exact: true })).toBeVisible()
  expect(readFileSync(join(server.root, 'a.bin'), 'utf8')).toBe('a.bin')
})

test('Ctrl+Z undoes, Ctrl+Shift+Z does it again', async ({ files, page, server }) => {
  writeFileSync(join(server.root, 'a.bin'), 'a')
  mkdirSync(join(server.root, 'folder'))
  await page.reload()
  await files.shows('folder', 'a.bin')
  await files.select('a.bin')
  await page.keyboard.press('Delete')
  await files.prompt.button('Delete').click()
  await files.shows('folder')
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows('folder', 'a.bin')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await files.shows('folder')
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows('folder', 'a.bin')
})

test('what has changed since stays, and the message says so', async ({ files, page, server }) => {
  writeFileSync(join(server.root, 'a.bin'), 'a')
  await page.reload()
  await files.shows('a.bin')
  await files.select('a.bin')
  await page.keyboard.press('Delete')
  await files.prompt.button('Delete').click()
  await files.shows()
  writeFileSync(join(server.root, 'a.bin'), 'another')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  expect(readFileSync(join(server.root, 'a.bin'), 'utf8')).toBe('another')
})
