/** Where entries are moved to: the picker's shortcuts and field, and the same folder again. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'
import { Sidebar } from '../../pages/Sidebar.ts'

test.beforeEach(({ server }) => {
  for (const folder of ['archive/2024/invoices', 'inbox', 'photos']) {
    mkdirSync(join(server.root, folder), { recursive: true })
  }
  for (const name of ['a.txt', 'b.txt', 'c.txt']) {
    writeFileSync(join(server.root, 'inbox', name), name)
  }
})

test('the picker offers the last destinations and the favourites', async ({
  files,
  server,
  page,
}) => {
  await files.openRoot()
  await files.choose('photos', 'Add to favourites')
  await expect(new Sidebar(page).favourites).toHaveText(['photos'])
  await files.open('/inbox')
  await files.choose('a.txt', 'Move to…')
  await expect(files.prompt.shortcuts).toHaveText(['photos'])
  await files.prompt.find.fill('/archive/2024/')
  await files.prompt.folder('invoices').click()
  await files.prompt.button('Move here').click()
  await files.shows('b.txt', 'c.txt')
  expect(existsSync(join(server.root, 'archive/2024/invoices/a.txt'))).toBe(true)

  await page.reload()
  await files.shows('b.txt', 'c.txt')
  await files.choose('b.txt', 'Copy to…')
  await expect(files.prompt.shortcuts).toHaveText(['invoices', 'photos'])
  await files.prompt.shortcuts.first().click()
  await files.prompt.button('Copy here').click()
  await expect(files.toasts).toContainText('b.txt copied to invoices')
  expect(existsSync(join(server.root, 'archive/2024/invoices/b.txt'))).toBe(true)
})

test('the picker does not offer a folder that is moved, or what is in it', async ({
  files,
  server,
  page,
}) => {
  await files.open('/inbox')
  await files.choose('a.txt', 'Move to…')
  await files.prompt.find.fill('/archive/2024/')
  await files.prompt.folder('invoices').click()
  await files.prompt.button('Move here').click()
  await files.shows('b.txt', 'c.txt')
  await files.openRoot()
  await files.choose('archive', 'Move to…')
  await expect(files.prompt.folder('inbox')).toBeVisible()
  await expect(files.prompt.shortcuts).toHaveCount(0)
  await files.prompt.find.fill('/archive/2')
  await expect(files.prompt.card).toContainText('No folder found')
  await page.keyboard.press('Escape')
  await expect(files.prompt.find).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(files.prompt.card).toBeHidden()
  expect(existsSync(join(server.root, 'archive/2024'))).toBe(true)
})

test('a destination is typed and confirmed by keyboard alone, as a path or as a part of a name', async ({
  files,
  server,
  page,
}) => {
  await files.open('/inbox')
  await files.select('a.txt', 'b.txt')
  await files.action('Move').click()
  await expect(files.prompt.folderMessage).toContainText('No subfolders')
  await page.keyboard.press('/')
  await expect(files.prompt.find).toHaveValue('/')
  await page.keyboard.type('archive/20')
  await expect(files.prompt.folder('2024')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(files.prompt.find).toHaveValue('')
  await expect(files.prompt.card).toContainText('Destination: “2024”')
  await page.keyboard.press('Enter')
  await files.shows('c.txt')
  expect(existsSync(join(server.root, 'archive/2024/a.txt'))).toBe(true)

  await files.select('c.txt')
  await files.action('Move').click()
  await expect(files.prompt.folderMessage).toContainText('No subfolders')
  // Enter before the folder is found opens it as soon as it is.
  await files.prompt.find.fill('invo')
  await page.keyboard.press('Enter')
  await expect(files.prompt.card).toContainText('Destination: “invoices”')
  await page.keyboard.press('Enter')
  await expect(page.getByText('This folder is empty')).toBeVisible()
  expect(existsSync(join(server.root, 'archive/2024/invoices/c.txt'))).toBe(true)
})

test('after a move, the menus offer to move other entries to the same folder', async ({
  files,
  server,
  page,
}) => {
  await files.open('/inbox')
  await files.row('b.txt').click({ button: 'right' })
  await expect(files.menuItem('Move to…')).toBeVisible()
  await expect(files.menuItem('Move again to')).toBeHidden()
  await page.keyboard.press('Escape')
  await files.choose('a.txt', 'Move to…')
  await files.prompt.find.fill('/photos')
  await files.prompt.folder('photos').click()
  await files.prompt.button('Move here').click()
  await files.shows('b.txt', 'c.txt')

  await files.select('b.txt', 'c.txt')
  await files.choose('c.txt', 'Move again to “photos”')
  await expect(page.getByText('This folder is empty')).toBeVisible()
  for (const name of ['a.txt', 'b.txt', 'c.txt']) {
    expect(existsSync(join(server.root, 'photos', name))).toBe(true)
  }
  // Nothing is offered where the entries are already.
  await files.open('/photos')
  await files.row('a.txt').click({ button: 'right' })
  await expect(files.menuItem('Move to…')).toBeVisible()
  await expect(files.menuItem('Move again to')).toBeHidden()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a destination is chosen with the finger, and again', async ({ files, server, page }) => {
    // A message is above the first rows for ten seconds.
    const dismiss = files.toasts.getByRole('button', { name: 'Dismiss' })
    await page.addLocatorHandler(dismiss, () => dismiss.tap())
    await files.open('/inbox')
    await files.longPress('a.txt')
    await files.selection.getByRole('button', { name: 'Move' }).tap()
    await files.prompt.find.fill('invo')
    await files.prompt.folder('invoices').tap()
    await files.prompt.button('Move here').tap()
    await files.shows('b.txt', 'c.txt')
    await files.more('b.txt').tap()
    await files.menuItem('Move to…').tap()
    await files.prompt.shortcuts.first().tap()
    await files.prompt.button('Move here').tap()
    await files.shows('c.txt')
    await files.more('c.txt').tap()
    await files.menuItem('Move again to “invoices”').tap()
    await expect(page.getByText('This folder is empty')).toBeVisible()
    expect(existsSync(join(server.root, 'archive/2024/invoices/c.txt'))).toBe(true)
  })
})
