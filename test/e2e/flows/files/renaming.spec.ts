/** Several selected entries are renamed at once. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { expect, test } from '../../fixtures.ts'
import { FilesPage } from '../../pages/FilesPage.ts'
import { addUser, PASSWORD } from '../../users.ts'

/** Creates files whose content is their first name. */
async function create(root: string, page: Page, ...names: string[]): Promise<void> {
  for (const name of names) writeFileSync(join(root, name), name)
  await page.reload()
}

/** The rows of the preview, as `old new`. */
function preview(files: FilesPage) {
  return files.prompt.card.getByRole('list', { name: 'New names' }).getByRole('listitem')
}

test('text in several names is replaced, and one undo restores all names @spec-2.22', async ({
  files,
  server,
  page,
}) => {
  await files.openRoot()
  const names = ['IMG_1.jpg', 'IMG_2.jpg', 'IMG_3.jpg', 'other.txt']
  await create(server.root, page, ...names)
  await files.select('IMG_1.jpg', 'IMG_2.jpg', 'IMG_3.jpg')
  await files.selection.getByRole('button', { name: 'Rename' }).click()
  const { card } = files.prompt
  await expect(card).toContainText('Rename 3 items')
  await expect(files.prompt.button('Rename')).toBeDisabled()
  await card.getByLabel('Find', { exact: true }).fill('IMG_')
  await card.getByLabel('Replace with').fill('Lofoten ')
  await expect(preview(files)).toHaveText([
    'IMG_1.jpgLofoten 1.jpg',
    'IMG_2.jpgLofoten 2.jpg',
    'IMG_3.jpgLofoten 3.jpg',
  ])
  await files.prompt.button('Rename').click()
  await files.shows('Lofoten 1.jpg', 'Lofoten 2.jpg', 'Lofoten 3.jpg', 'other.txt')
  expect(readFileSync(join(server.root, 'Lofoten 2.jpg'), 'utf8')).toBe('IMG_2.jpg')
  await expect(files.toasts).toContainText('3 items renamed')
  await expect(files.selection).toContainText('3 selected')
  await files.toasts.getByRole('button', { name: 'Undo', exact: true }).click()
  await files.shows(...names)
})

test('in a narrow window the card keeps its height when the kind of renaming changes', async ({
  files,
  server,
  page,
}) => {
  await files.openRoot()
  await create(server.root, page, 'a.txt', 'b.txt')
  await files.select('a.txt', 'b.txt')
  await files.selection.getByRole('button', { name: 'Rename' }).click()
  await page.setViewportSize({ width: 360, height: 800 })
  const heights = []
  for (const kind of ['Replace text', 'Add text', 'Name and number']) {
    await files.prompt.card.getByText(kind, { exact: true }).click()
    await expect(files.prompt.card.getByRole('radio', { name: kind })).toBeChecked()
    heights.push((await files.prompt.card.boundingBox())?.height)
  }
  expect(new Set(heights).size).toBe(1)
})

test('by keyboard alone, names are numbered, also if a new name is the old name of another entry @spec-2.22', async ({
  files,
  server,
  page,
}) => {
  await files.openRoot()
  await create(server.root, page, '1.txt', '2.txt', '3.txt')
  await files.shows('1.txt', '2.txt', '3.txt')
  await files.grid.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('F2')
  const { card } = files.prompt
  await expect(card.getByLabel('Find', { exact: true })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(card.getByRole('radio', { name: 'Name and number' })).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(card.getByLabel('Start at')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('2')
  await expect(preview(files)).toHaveText(['1.txt2.txt', '2.txt3.txt', '3.txt4.txt'])
  await page.keyboard.press('Enter')
  await files.shows('2.txt', '3.txt', '4.txt')
  for (const number of [1, 2, 3]) {
    expect(readFileSync(join(server.root, `${number + 1}.txt`), 'utf8')).toBe(`${number}.txt`)
  }
  await expect(files.selection).toContainText('3 selected')
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows('1.txt', '2.txt', '3.txt')
  expect(readFileSync(join(server.root, '3.txt'), 'utf8')).toBe('3.txt')
})

test('taken and invalid names are explained, and nothing is sent @spec-2.22', async ({
  files,
  server,
  page,
}) => {
  await files.openRoot()
  await create(server.root, page, 'a1.txt', 'a2.txt', 'b1.txt')
  await files.select('a1.txt', 'a2.txt')
  await page.keyboard.press('F2')
  const { card } = files.prompt
  const submit = files.prompt.button('Rename')
  await card.getByLabel('Find', { exact: true }).fill('a')
  await card.getByLabel('Replace with').fill('b')
  await expect(preview(files).first()).toContainText('“b1.txt” is already here.')
  await expect(card).toContainText('1 name cannot be used')
  await expect(submit).toBeDisabled()
  await page.keyboard.press('Enter')
  await card.getByLabel('Replace with').fill('x/')
  await expect(preview(files).first()).toContainText('cannot contain a slash')
  await card.getByText('Add text').click()
  await card.getByLabel('Text', { exact: true }).fill('-old')
  await card.getByText('After the name').click()
  await expect(preview(files)).toHaveText(['a1.txta1-old.txt', 'a2.txta2-old.txt'])
  await expect(submit).toBeEnabled()
  await page.keyboard.press('Escape')
  await expect(card).toBeHidden()
  expect(
    readdirSync(server.root)
      .filter((name) => name.endsWith('.txt'))
      .sort(),
  ).toEqual(['a1.txt', 'a2.txt', 'b1.txt'])
})

test('an entry that cannot be renamed is named with the reason, and the others are renamed @spec-2.22', async ({
  files,
  server,
  page,
}) => {
  await files.openRoot()
  await create(server.root, page, 'a.txt', 'b.txt')
  await files.select('a.txt', 'b.txt')
  await page.keyboard.press('F2')
  const { card } = files.prompt
  await card.getByText('Add text').click()
  await card.getByLabel('Text', { exact: true }).fill('new ')
  // Another program takes the name after the names were checked.
  await page.route('**/api/events*', (route) => route.abort())
  mkdirSync(join(server.root, 'new b.txt'))
  await files.prompt.button('Rename').click()
  await expect(files.toasts).toContainText('1 item renamed')
  await expect(files.toasts).toContainText('Not renamed: b.txt')
  await files.shows('new b.txt', 'b.txt', 'new a.txt')
  await expect(files.row('b.txt')).toHaveAttribute('aria-selected', 'true')
  expect(readFileSync(join(server.root, 'b.txt'), 'utf8')).toBe('b.txt')
})

test('without the right to rename, several entries cannot be renamed @spec-2.22', async ({
  server,
  page,
  login,
}) => {
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(server.root, name), name)
  const cutter = await addUser(server, 'cutter', 'delete')
  await login.open()
  await login.logIn(cutter, PASSWORD)
  const files = new FilesPage(page)
  await files.select('a.txt', 'b.txt')
  await expect(files.selection.getByRole('button', { name: 'Delete' })).toBeVisible()
  await expect(files.selection.getByRole('button', { name: 'Rename' })).toBeHidden()
  await page.keyboard.press('F2')
  await page.keyboard.press('Delete')
  await expect(files.row('a.txt')).toBeHidden()
  expect(existsSync(join(server.root, 'b.txt'))).toBe(false)
})
