/** A list box contains options only; `aria-activedescendant` never names a missing one. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'
import { SearchBox } from '../../pages/SearchBox.ts'

test('the folder picker distinguishes loading, empty and non-empty folders', async ({
  files,
  page,
  server,
}) => {
  mkdirSync(join(server.root, 'a'))
  mkdirSync(join(server.root, 'b'))
  // Before the page is loaded: a request right after the route was added was once not held.
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/resources/b/', async (route) => {
    await held
    await route.fallback()
  })
  await files.openRoot()
  await files.choose('a', 'Copy to…')
  const { card } = files.prompt
  await expect(card.getByRole('listbox')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(card.getByText('Loading')).toBeFocused()
  await expect(card.getByRole('listbox')).toHaveCount(0)
  release()
  await expect(card.getByText('No subfolders')).toBeFocused()
  await expect(card.getByRole('listbox')).toHaveCount(0)
  await page.keyboard.press('Backspace')
  await expect(card.getByRole('listbox')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(card.getByRole('option', { selected: true })).toHaveText('b')
})

test('a search without results shows a message', async ({ files, page }) => {
  await files.openRoot()
  const search = new SearchBox(page)
  await search.open()
  await expect(page.getByRole('listbox')).toBeVisible()
  await search.field.fill('nothing is called so')
  await expect(search.card).toContainText('No results')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  for (const name of ['aria-controls', 'aria-activedescendant']) {
    await expect(search.field).not.toHaveAttribute(name)
  }
})
