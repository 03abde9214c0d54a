/** The keyboard alone: the focused entry, and what is typed before a part of the interface is loaded. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gate } from '../../support/gate.ts'
import { expect, test } from '../fixtures.ts'
import { SearchBox } from '../pages/SearchBox.ts'

test.describe('while the search is loading', () => {
  test.use({ serviceWorkers: 'block' })

  test('what is typed reaches its field, and Escape cancels', async ({ files, server, page }) => {
    for (const name of ['file-0998', 'file-0999']) writeFileSync(join(server.root, name), '')
    const search = new SearchBox(page)
    const asked = gate()
    const given = gate()
    await page.route(/\/Finder-[^/]*\.js$/, async (route) => {
      asked.open()
      await given.opened
      await route.continue()
    })
    await page.reload()
    await files.shows('file-0998', 'file-0999')
    await page.keyboard.press('/')
    await asked.opened
    await page.keyboard.type('gone')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('file-09998')
    await page.keyboard.press('Backspace')
    given.open()
    await expect(search.field).toBeFocused()
    await expect(search.field).toHaveValue('file-0999')
    await page.keyboard.type('x')
    await expect(search.field).toHaveValue('file-0999x')
    await page.keyboard.press('Backspace')
    await expect(search.results).toHaveText([/file-0999/])
  })

  test('Enter opens the result of what was typed', async ({ files, server, page }) => {
    mkdirSync(join(server.root, 'holidays'))
    const given = gate()
    await page.route(/\/Finder-[^/]*\.js$/, async (route) => {
      await given.opened
      await route.continue()
    })
    await page.reload()
    await files.shows('holidays')
    await page.keyboard.press('/')
    await page.keyboard.type('holidays')
    await page.keyboard.press('Enter')
    given.open()
    await expect(page).toHaveURL(/\/files\/holidays\/$/)
  })
})
