/** What takes up space: the page behind the storage bar leads into folders, and its rows have the actions of files. */
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { expect, test } from '../../fixtures.ts'

test.use({ ownServer: true })

function fill(root: string): void {
  mkdirSync(join(root, 'Films/Raw'), { recursive: true })
  mkdirSync(join(root, 'Texts'))
  writeFileSync(join(root, 'Films/Raw/big.mp4'), 'x'.repeat(60_000))
  writeFileSync(join(root, 'Films/Raw/notes'), 'n')
  writeFileSync(join(root, 'Films/copy.mp4'), 'x'.repeat(60_000))
  writeFileSync(join(root, 'Texts/old.txt'), 'y'.repeat(9000))
  writeFileSync(join(root, 'small.txt'), 'z'.repeat(100))
  utimesSync(join(root, 'Texts/old.txt'), new Date('2001-05-05'), new Date('2001-05-05'))
}

test('the storage bar leads to what takes up space, by entry, kind, size and age', async ({
  files,
  page,
  server,
}) => {
  fill(server.root)
  await files.openRoot()
  await page
    .getByRole('complementary')
    .getByRole('link', { name: /Storage/ })
    .click()
  await expect(page).toHaveURL(/\/settings\/space\/$/)
  await expect(page.getByRole('main')).toContainText('5 files · 3 folders')
  const rows = (list: string) => page.getByRole('region', { name: list }).getByRole('listitem')
  await expect(rows('Files and folders')).toContainText(['Films', 'Texts', 'small.txt'])
  await expect(rows('Type')).toContainText(['Video', 'Text'])
  await expect(rows('Largest files').nth(2)).toContainText('old.txt')
  await expect(rows('Files modified first').first()).toContainText('old.txt')
  const map = page.getByRole('list', { name: 'What takes up space' })
  await map.getByRole('link', { name: /Films/ }).click()
  await expect(page).toHaveURL(/\/settings\/space\/Films\/$/)
  await expect(rows('Files and folders')).toContainText(['Raw', 'copy.mp4'])
  await page
    .getByRole('navigation', { name: 'Path' })
    .getByRole('link', { name: 'What takes up space' })
    .click()
  await expect(rows('Files and folders')).toContainText(['Films', 'Texts', 'small.txt'])
})

test('files with the same content are found, and a copy is deleted from there', async ({
  page,
  server,
  settings,
}) => {
  fill(server.root)
  await page.goto('./settings/space/')
  await settings.button('Compare').click()
  const same = page.getByRole('region', { name: 'Files with the same content' })
  await expect(same.getByRole('listitem')).toContainText(['big.mp4', 'copy.mp4'])
  await expect(same).toContainText('58.6 KiB more than one copy')
  await same.getByRole('button', { name: 'More for copy.mp4' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(settings.toasts).toContainText('copy.mp4 moved to the trash')
  await expect(same.getByRole('listitem')).toHaveCount(0)
  await expect(page.getByRole('main')).toContainText('4 files · 3 folders')
  expect(existsSync(join(server.root, 'Films/copy.mp4'))).toBe(false)
})

test('a comparison is cancelled, which ends the request', async ({ page, server, settings }) => {
  fill(server.root)
  await page.goto('./settings/space/')
  // The server does not answer.
  await page.route(`**${API.sameContent}/**`, () => undefined)
  const failed = page.waitForEvent('requestfailed')
  await settings.button('Compare').click()
  await page
    .getByRole('region', { name: 'Files with the same content' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await failed
  await expect(settings.button('Compare')).toBeVisible()
  await expect(page.getByText('Not everything is counted')).toBeVisible()
})

test('the boxes of the map have the colours of the kinds, which a legend names; the disk has a sum of its own', async ({
  page,
  server,
  files,
}) => {
  await files.openRoot()
  mkdirSync(join(server.root, 'photos'))
  writeFileSync(join(server.root, 'photos/a.jpg'), 'x'.repeat(9000))
  writeFileSync(join(server.root, 'backup.zip'), 'x'.repeat(9000))
  writeFileSync(join(server.root, 'notes.txt'), 'x'.repeat(9000))
  writeFileSync(join(server.root, 'raw.bin'), Buffer.alloc(9000))
  await page.goto('./settings/space/')
  const map = page.getByRole('figure')
  const box = (name: string) => map.getByRole('listitem').filter({ hasText: name })
  await expect(box('photos')).toHaveAttribute('data-kind', 'image')
  await expect(box('backup.zip')).toHaveAttribute('data-kind', 'archive')
  await expect(map.locator('figcaption')).toContainText('Picture')
  await expect(map.locator('figcaption')).toContainText('Archive')
  const fill = (name: string) =>
    box(name).evaluate((element) => getComputedStyle(element).backgroundColor)
  for (const colours of ['none', 'active'] as const) {
    await page.emulateMedia({ forcedColors: colours })
    expect(await fill('photos')).not.toBe(await fill('backup.zip'))
    expect(await fill('notes.txt')).not.toBe(await fill('raw.bin'))
  }
  await expect(page.getByText(/On the disk, .* are in use/)).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the name of a row has the width, and its end is visible', async ({
    page,
    server,
    files,
  }) => {
    await files.openRoot()
    const name = 'Contract 2020 with the harbour authority - customer.pdf'
    writeFileSync(join(server.root, name), 'x'.repeat(9000))
    await page.goto('./settings/space/')
    const label = page.locator('.SpaceRow__text').getByTitle(name, { exact: true }).first()
    await expect(label).toBeVisible()
    const { width, isEndWhole } = await label.evaluate((element) => {
      const end = element.querySelector('.Name__end')
      return {
        width: element.getBoundingClientRect().width,
        isEndWhole: end !== null && end.scrollWidth <= end.clientWidth + 1,
      }
    })
    expect(isEndWhole).toBe(true)
    expect(width).toBeGreaterThan(200)
  })
})
