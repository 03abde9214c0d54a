/** Keys: the entry to which they apply, keys that are pressed while the finder is loaded, and the help. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { type Gate, gate } from '../../../support/storage/gate.ts'
import { expect, test } from '../../fixtures.ts'
import { SearchBox } from '../../pages/SearchBox.ts'

/** The code of the finder. */
const FINDER = /\/Finder-[^/]*\.js$/

/** Holds the code of the finder back until `released` is opened. */
async function holdFinder(page: Page): Promise<{ requested: Gate; released: Gate }> {
  const requested = gate()
  const released = gate()
  await page.route(FINDER, async (route) => {
    requested.open()
    await released.opened
    await route.continue()
  })
  return { requested, released }
}

test.describe('while the search is loading', () => {
  test('text that is typed before the finder is loaded reaches its field, and Escape cancels', async ({
    files,
    server,
    page,
  }) => {
    for (const name of ['file-0998', 'file-0999']) writeFileSync(join(server.root, name), '')
    const search = new SearchBox(page)
    const { requested, released } = await holdFinder(page)
    await files.openRoot()
    await files.shows('file-0998', 'file-0999')
    await page.keyboard.press('/')
    await requested.opened
    await page.keyboard.type('gone')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('file-09998')
    await page.keyboard.press('Backspace')
    released.open()
    await expect(search.field).toBeFocused()
    await expect(search.field).toHaveValue('file-0999')
    await page.keyboard.type('x')
    await expect(search.field).toHaveValue('file-0999x')
    await page.keyboard.press('Backspace')
    await expect(search.results).toHaveText([/file-0999/])
  })

  test('text that is pasted or composed before the finder is loaded is not lost', async ({
    context,
    files,
    server,
    page,
  }) => {
    writeFileSync(join(server.root, 'ほん-abc'), '')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const search = new SearchBox(page)
    const { requested, released } = await holdFinder(page)
    await files.openRoot()
    await files.shows('ほん-abc')
    await page.evaluate(() => navigator.clipboard.writeText('-abc'))
    await page.keyboard.press('/')
    await requested.opened
    const devTools = await context.newCDPSession(page)
    const compose = (text: string) =>
      devTools.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      })
    await compose('ほ')
    // The finder arrives in the middle of the composition, and waits for its end.
    const loaded = page.waitForResponse(FINDER)
    released.open()
    await loaded
    await compose('ほん')
    await devTools.send('Input.insertText', { text: 'ほん' })
    await expect(search.field).toHaveValue('ほん')
    await expect(search.field).toBeFocused()
    await page.keyboard.press('ControlOrMeta+v')
    await expect(search.field).toHaveValue('ほん-abc')
    await expect(search.results).toHaveText([/ほん-abc/])
    // The finder gives the focus back to what had it before the early field.
    await page.keyboard.press('Escape')
    await expect(search.card).toBeHidden()
    await page.keyboard.press('ArrowDown')
    await expect(files.row('ほん-abc')).toHaveAttribute('data-cursor', 'true')
  })

  test('text that is pasted before the finder is loaded reaches its field', async ({
    context,
    files,
    page,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const search = new SearchBox(page)
    const { released } = await holdFinder(page)
    await files.openRoot()
    await page.evaluate(() => navigator.clipboard.writeText('pasted'))
    await page.keyboard.press('/')
    await page.keyboard.press('ControlOrMeta+v')
    await page.keyboard.type(' typed')
    released.open()
    await expect(search.field).toHaveValue('pasted typed')
  })

  test('text and Enter that are typed before the finder is loaded open the result', async ({
    files,
    server,
    page,
  }) => {
    mkdirSync(join(server.root, 'holidays'))
    const { released } = await holdFinder(page)
    await files.openRoot()
    await files.shows('holidays')
    await page.keyboard.press('/')
    await page.keyboard.type('holidays')
    await page.keyboard.press('Enter')
    released.open()
    await expect(page).toHaveURL(/\/files\/holidays\/$/)
  })
})

for (const view of ['List', 'Photos'] as const) {
  test(`keys apply to the entry that the arrow keys focused, in the view ${view}`, async ({
    files,
    server,
    page,
  }) => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(server.root, name), 'x')
    await files.openRoot()
    await expect(files.status).toContainText('3 files')
    await files.showAs(view)
    await expect(files.view).toHaveAccessibleName(view)
    await files.grid.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    if (view === 'List') await page.keyboard.press('ArrowDown')
    await page.keyboard.press('F2')
    await expect(files.prompt.card).toContainText('Rename “b.txt”')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(files.selection).toBeHidden()
    await page.keyboard.press('Delete')
    await expect(files.toasts).toContainText('b.txt moved to the trash')
    await expect(files.status).toContainText('2 files')
    expect(existsSync(join(server.root, 'b.txt'))).toBe(false)
  })
}

test('keys do not apply to an entry that was only clicked before', async ({
  files,
  server,
  page,
}) => {
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(server.root, name), 'x')
  await files.openRoot()
  await files.shows('a.txt', 'b.txt')
  await files.row('b.txt').click()
  await page.keyboard.press('Escape')
  await expect(files.selection).toBeHidden()
  await page.keyboard.press('Delete')
  await page.keyboard.press('F2')
  await page.keyboard.press('F1')
  await expect(files.prompt.card).toContainText('Keyboard and pointer')
})

test('the help does not list keys of actions that the server refuses', async ({ files, page }) => {
  await files.openRoot()
  await page.keyboard.press('F1')
  await expect(files.prompt.card).toContainText('Rename')
  await expect(files.prompt.card).not.toContainText('Shell')
})
