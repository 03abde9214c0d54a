import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect } from '../fixtures.ts'
import { PaletteBox } from '../pages/PaletteBox.ts'

const test = base.extend<{ palette: PaletteBox }>({
  palette: async ({ page }, use) => {
    await use(new PaletteBox(page))
  },
})

test('offers what can be done now, and does it', async ({ files, palette, page, server }) => {
  writeFileSync(join(server.root, 'a.txt'), 'a')
  await files.shows('a.txt')
  await palette.open()
  await expect(palette.command('New folder')).toBeVisible()
  await expect(palette.command('Delete…')).toBeHidden()
  await page.keyboard.press('Escape')
  await files.select('a.txt')
  await palette.open()
  await page.keyboard.type('del')
  await expect(palette.chosen).toContainText('Delete…')
  await page.keyboard.press('Enter')
  await expect(palette.card).toBeHidden()
  await files.prompt.button('Delete').click()
  await expect.poll(() => existsSync(join(server.root, 'a.txt'))).toBe(false)
})

test('the arrows walk it, any word of a name finds it', async ({ files, palette, page }) => {
  await expect(files.status).toBeVisible()
  await palette.open()
  await page.keyboard.type('folder new')
  await expect(palette.commands).toHaveCount(1)
  await palette.field.fill('view')
  const first = await palette.chosen.textContent()
  await page.keyboard.press('ArrowDown')
  await expect(palette.chosen).not.toHaveText(first ?? '')
  await page.keyboard.press('ArrowUp')
  await expect(palette.chosen).toHaveText(first ?? '')
  await palette.field.fill('nothing is called so')
  await expect(palette.commands).toHaveCount(0)
  await expect(palette.card.getByRole('status')).toContainText('No command matches')
  await page.keyboard.press('Enter')
  await expect(palette.card).toBeVisible()
})

test('the palette goes to settings and to folders here', async ({
  files,
  palette,
  page,
  server,
}) => {
  mkdirSync(join(server.root, 'Travels'))
  await files.shows('Travels')
  await palette.open()
  await page.keyboard.type('trav')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/files\/Travels\/$/)
  await palette.open()
  await palette.command('Settings: Users').click()
  await expect(page).toHaveURL(/\/settings\/users$/)
  await palette.open()
  await expect(palette.command('New folder')).toBeHidden()
  await palette.field.fill('my files')
  await page.keyboard.press('Enter')
  await files.shows('Travels')
})

test('the palette opens from a field that is typed in, and the focus goes back there', async ({
  files,
  palette,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'a.txt'), 'a')
  await files.shows('a.txt')
  await page.keyboard.press('ControlOrMeta+f')
  const filter = page.getByRole('textbox', { name: 'Filter by name' })
  await filter.fill('a/')
  await palette.open()
  await page.keyboard.press('Escape')
  await expect(filter).toBeFocused()
  await expect(filter).toHaveValue('a/')
})
