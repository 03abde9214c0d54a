/** Entries are links: the middle button and the menu open them in a new tab, and other clicks stay in the page. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'

test('the middle button opens an entry in a new tab, on its name and beside it', async ({
  files,
  context,
  page,
  server,
}) => {
  mkdirSync(join(server.root, 'in # it'))
  writeFileSync(join(server.root, 'a.txt'), 'a')
  await files.openRoot()
  await files.shows('in # it', 'a.txt')
  for (const [target, url] of [
    [files.handle('in # it'), /\/files\/in%20%23%20it\/$/],
    [files.row('a.txt').getByRole('gridcell').nth(1), /\/files\/a\.txt$/],
  ] as const) {
    const opened = context.waitForEvent('page')
    await target.click({ button: 'middle' })
    const tab = await opened
    await expect(tab).toHaveURL(url)
    await tab.close()
  }
  await expect(page).toHaveURL(/\/files\/$/)
  await files.showAs('Grid')
  const opened = context.waitForEvent('page')
  await files.tile('a.txt').click({ button: 'middle' })
  await expect(await opened).toHaveURL(/\/files\/a\.txt$/)
})

test('the menu opens an entry in a new tab', async ({ files, context, page, server }) => {
  writeFileSync(join(server.root, 'a.txt'), 'a')
  await files.openRoot()
  const opened = context.waitForEvent('page')
  await files.choose('a.txt', 'Open in a new tab')
  const tab = await opened
  await expect(tab).toHaveURL(/\/files\/a\.txt$/)
  await expect(tab.getByRole('textbox', { name: 'a.txt' })).toBeVisible()
  await expect(page).toHaveURL(/\/files\/$/)
})

test('a name is a link, and its other clicks select and open in the page', async ({
  files,
  context,
  page,
  server,
}) => {
  mkdirSync(join(server.root, 'folder'))
  writeFileSync(join(server.root, 'a.txt'), 'a')
  await files.openRoot()
  const link = files.row('folder').getByRole('link', { name: 'folder' })
  await expect(link).toHaveAttribute('href', /\/files\/folder\/$/)
  await link.click()
  await expect(files.row('folder')).toHaveAttribute('aria-selected', 'true')
  await files
    .row('a.txt')
    .getByRole('link')
    .click({ modifiers: ['ControlOrMeta'] })
  await expect(files.row('folder')).toHaveAttribute('aria-selected', 'true')
  await expect(files.row('a.txt')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await link.dblclick()
  await expect(page).toHaveURL(/\/files\/folder\/$/)
  expect(context.pages()).toHaveLength(1)
})

test('after a click on a name, the keys belong to the grid', async ({ files, page, server }) => {
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  const link = (name: string) => files.row(name).getByRole('link', { name })
  await link('a.txt').click()
  await expect(files.grid).toBeFocused()
  await page.keyboard.press('Shift+ArrowDown')
  await expect(files.row('b.txt')).toHaveAttribute('aria-selected', 'true')
  await link('b.txt').click({ button: 'right' })
  await page.keyboard.press('Escape')
  await expect(files.grid).toBeFocused()
  // A drag that is dropped nowhere is no click.
  await files.dragOver(files.handle('a.txt'), files.handle('b.txt'))
  await page.mouse.up()
  await expect(files.grid).toBeFocused()
  await link('b.txt').click()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/files\/b\.txt$/)
})
