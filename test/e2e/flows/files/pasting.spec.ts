/** Files of the system's clipboard, pasted into a folder. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { expect, test } from '../../fixtures.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('a screenshot is pasted as a file with its own name, instead of entries that were copied earlier @spec-2.30', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'to'))
  writeFileSync(join(server.root, 'a.txt'), 'x')
  await files.openRoot()
  await files.select('a.txt')
  await page.keyboard.press('ControlOrMeta+c')
  await expect(files.toasts).toContainText(/^a\.txt is ready to paste \((?:Ctrl |⌘)V\)/)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('a.txt')
  await files.open('/to')
  await expect(files.action('Paste')).toBeVisible()
  await copyPicture(page)
  await page.keyboard.press('ControlOrMeta+v')
  await expect
    .poll(() => readdirSync(join(server.root, 'to')))
    .toEqual([expect.stringMatching(/^Pasted picture \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/)])
})

test('entries that are copied after a picture are pasted instead of it @spec-2.30', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'to'))
  writeFileSync(join(server.root, 'a.txt'), 'x')
  await files.openRoot()
  await copyPicture(page)
  await files.select('a.txt')
  await page.keyboard.press('ControlOrMeta+c')
  await expect(files.toasts).toContainText('a.txt is ready to paste')
  await files.open('/to')
  await expect(files.action('Paste')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+v')
  await files.shows('a.txt')
  expect(readdirSync(join(server.root, 'to'))).toEqual(['a.txt'])
})

test('pasting into a text field uploads nothing', async ({ files, server, page }) => {
  writeFileSync(join(server.root, 'a.txt'), 'x')
  await files.openRoot()
  await copyPicture(page)
  await files.filterButton.click()
  await files.filter.press('ControlOrMeta+v')
  await files.filter.fill('a')
  await page.keyboard.press('Escape')
  await expect(files.filter).toBeHidden()
  const pasted = () => readdirSync(server.root).filter((name) => name.startsWith('Pasted picture'))
  expect(pasted()).toEqual([])
  await page.keyboard.press('ControlOrMeta+v')
  await expect.poll(() => pasted().length).toBe(1)
})

/** Puts a picture into the clipboard, as desktop programs do. */
async function copyPicture(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(2, 2)
    canvas.getContext('2d')
    const blob = await canvas.convertToBlob()
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })])
  })
}
