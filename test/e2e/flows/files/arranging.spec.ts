import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'
import { FilesPage } from '../../pages/FilesPage.ts'

test('the user creates folders and files by mouse and by keyboard @spec-2.48 @spec-4.8', async ({
  files,
  server,
  page,
}) => {
  await files.openRoot()
  await files.sidebar('New folder').click()
  await files.prompt.field.fill(' Holidays ')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/files\/Holidays\/$/)
  await files.sidebar('New file').click()
  await files.prompt.field.fill('notes.txt')
  await files.prompt.button('Create file').click()
  await expect(page).toHaveURL(/\/files\/Holidays\/notes\.txt$/)
  expect(readFileSync(join(server.root, 'Holidays/notes.txt'), 'utf8')).toBe('')
})

test('an invalid name is explained, and the typed text stays', async ({ files, server, page }) => {
  mkdirSync(join(server.root, 'taken'))
  await files.openRoot()
  await files.sidebar('New folder').click()
  await page.keyboard.press('Enter')
  await expect(files.prompt.card).toBeVisible()
  await files.prompt.field.fill('a/b')
  await expect(files.prompt.card).toContainText('A name cannot contain a slash')
  await page.keyboard.press('Enter')
  await expect(files.prompt.field).toHaveValue('a/b')
  await files.prompt.field.fill('taken')
  await expect(files.prompt.card).toContainText('is already here')
  await page.keyboard.press('Escape')
  await expect(files.prompt.card).toBeHidden()
  expect(readdirSync(server.root)).toEqual(['taken'])
})

test('renaming selects the name without its extension', async ({ files, server, page }) => {
  writeFileSync(join(server.root, 'draft.txt'), 'x')
  await files.openRoot()
  await files.select('draft.txt')
  await page.keyboard.press('F2')
  await expect(files.prompt.field).toHaveValue('draft.txt')
  await page.keyboard.type('final')
  await page.keyboard.press('Enter')
  await expect(files.row('final.txt')).toHaveAttribute('aria-selected', 'true')
  expect(existsSync(join(server.root, 'final.txt'))).toBe(true)
})

test('deleting asks first and then deletes all selected entries @spec-2.48', async ({
  files,
  server,
  page,
}) => {
  for (const name of ['a', 'b', 'c']) writeFileSync(join(server.root, name), 'x')
  await files.openRoot()
  await files.select('a', 'c')
  await page.keyboard.press('Delete')
  await files.shows('b')
  for (const name of ['a', 'c']) expect(existsSync(join(server.root, name))).toBe(false)
})

test('entries are moved and copied with the folder picker @spec-2.48', async ({
  files,
  server,
}) => {
  mkdirSync(join(server.root, 'to'))
  for (const name of ['moves', 'copies']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  await files.choose('moves', 'Move to…')
  await expect(files.prompt.button('Move here')).toBeDisabled()
  await files.prompt.folder('to').click()
  await files.prompt.button(/^Move/).click()
  await files.shows('to', 'copies')
  await files.choose('copies', 'Copy to…')
  await files.prompt.folder('to').click()
  await files.prompt.button(/^Copy/).click()
  await expect(files.toasts).toContainText('copied')
  expect(readdirSync(join(server.root, 'to')).sort()).toEqual(['copies', 'moves'])
  await files.shows('to', 'copies')
})

test('entries are cut, copied and pasted by keyboard; pasting into the same folder keeps both @spec-4.7', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'to'))
  writeFileSync(join(server.root, 'x.txt'), 'x')
  await files.openRoot()
  await files.select('x.txt')
  await page.keyboard.press('ControlOrMeta+c')
  await page.keyboard.press('ControlOrMeta+v')
  await files.shows('to', 'x.txt', 'x(1).txt')
  await files.select('x(1).txt')
  await page.keyboard.press('ControlOrMeta+x')
  await files.row('to').dblclick()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+v')
  await files.shows('x(1).txt')
  expect(existsSync(join(server.root, 'x(1).txt'))).toBe(false)
})

test('a name collision asks whether to replace, keep both or skip @spec-2.49 @spec-4.6', async ({
  files,
  server,
}) => {
  mkdirSync(join(server.root, 'to'))
  const choices = [
    [/^Skip/, { 'x.txt': 'old' }],
    [/^Keep both/, { 'x.txt': 'old', 'x(1).txt': 'new' }],
    [/^Replace/, { 'x.txt': 'new', 'x(1).txt': 'new' }],
  ] as const
  writeFileSync(join(server.root, 'to', 'x.txt'), 'old')
  writeFileSync(join(server.root, 'x.txt'), 'new')
  await files.openRoot()
  for (const [choice, expected] of choices) {
    await files.choose('x.txt', 'Copy to…')
    await files.prompt.folder('to').click()
    await files.prompt.button(/^Copy/).click()
    await expect(files.prompt.card).toContainText('is already here')
    await files.prompt.button(choice).click()
    await expect(files.prompt.card).toBeHidden()
    await expect
      .poll(() =>
        Object.fromEntries(
          readdirSync(join(server.root, 'to')).map((name) => [
            name,
            readFileSync(join(server.root, 'to', name), 'utf8'),
          ]),
        ),
      )
      .toEqual(expected)
  }
})

test('an interrupted copy is resumed: only smaller files are replaced', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'to'))
  for (const [name, size] of [
    ['half.txt', 1],
    ['whole.txt', 9],
  ] as const) {
    writeFileSync(join(server.root, name), 'n'.repeat(9))
    writeFileSync(join(server.root, 'to', name), 'o'.repeat(size))
  }
  await files.openRoot()
  await files.select('half.txt', 'whole.txt')
  await page.keyboard.press('ControlOrMeta+c')
  await files.row('to').dblclick()
  await files.shows('half.txt', 'whole.txt')
  await page.keyboard.press('ControlOrMeta+v')
  await files.prompt.button('Replace only incomplete (smaller) files').click()
  await files.prompt.button('Continue').click()
  await expect(files.prompt.card).toBeHidden()
  const there = () =>
    ['half.txt', 'whole.txt'].map((name) => readFileSync(join(server.root, 'to', name), 'utf8'))
  await expect.poll(there).toEqual(['n'.repeat(9), 'o'.repeat(9)])
})

test('entries are found, selected and opened by keyboard alone @spec-2.52', async ({
  files,
  server,
  page,
}) => {
  for (const name of ['apple', 'banana', 'cherry']) writeFileSync(join(server.root, name), 'x')
  mkdirSync(join(server.root, 'folder'))
  await files.openRoot()
  await files.shows('folder', 'apple', 'banana', 'cherry')
  await page.keyboard.press('b')
  await page.keyboard.press('Control+Space')
  await expect(files.row('banana')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(files.row('cherry')).toHaveAttribute('aria-selected', 'true')
  await expect(files.status).toContainText('2 selected')
  await page.keyboard.press('Escape')
  await expect(files.status).not.toContainText('selected')
  await page.keyboard.press('ControlOrMeta+a')
  await expect(files.status).toContainText('4 selected')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/files\/folder\/$/)
  await page.keyboard.press('F1')
  await expect(files.prompt.card).toContainText('F2')
})

test('entries that were cut are pasted after a reload, and logging out clears the clipboard @spec-2.30', async ({
  context,
  files,
  login,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'a.txt'), 'a')
  mkdirSync(join(server.root, 'folder'))
  await files.openRoot()
  await files.shows('folder', 'a.txt')
  await expect(files.action('Paste')).toBeHidden()
  await files.select('a.txt')
  await page.keyboard.press('ControlOrMeta+x')
  await page.keyboard.press('Escape')
  await expect(files.action('Paste')).toBeVisible()
  await files.open('/folder')
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await files.action('Paste').press('Enter')
  await files.shows('a.txt')
  expect(existsSync(join(server.root, 'folder', 'a.txt'))).toBe(true)
  await expect(files.action('Paste')).toBeHidden()
  await files.select('a.txt')
  await page.keyboard.press('ControlOrMeta+c')
  await page.keyboard.press('Escape')
  await expect(files.action('Paste')).toBeVisible()
  const other = new FilesPage(await context.newPage())
  await other.open('/')
  await other.action('Paste').press('Enter')
  await other.shows('folder', 'a.txt')
  await files.sidebar('Log out').click()
  await login.logIn(server.username, server.password)
  await expect(files.status).toBeVisible()
  await expect(files.action('Paste')).toBeHidden()
})

test('a mark appears under the mouse; a click on it adds the entry to the selection', async ({
  files,
  server,
}) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  await files.select('a.txt')
  const mark = (name: string) => files.row(name).locator('[data-check]')
  await expect(mark('b.txt')).toBeHidden()
  await files.row('b.txt').hover()
  await expect(mark('b.txt')).toBeVisible()
  await mark('b.txt').click()
  await expect(files.selection).toContainText('2 selected')
  // Two quick clicks select and deselect; they do not open the file.
  await files.row('c.txt').hover()
  await mark('c.txt').dblclick()
  await expect(files.selection).toContainText('2 selected')
  await mark('a.txt').click()
  await expect(files.selection).toContainText('1 selected')
  await files.showAs('Grid')
  await files.tile('c.txt').hover()
  await files.tile('c.txt').locator('[data-check]').click()
  await expect(files.selection).toContainText('2 selected')
})
