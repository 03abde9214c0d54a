/** The page without disturbances: parts that would move, focus rings, repeated requests, and typed spaces. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright/test'
import { expect, test } from '../../fixtures.ts'
import { pathOf, requestsAfterReload } from '../../requests.ts'

test('a name with spaces is found by typing it', async ({ files, page, server }) => {
  for (const name of ['my apples', 'my pears', 'mytho']) writeFileSync(join(server.root, name), '')
  await files.openRoot()
  await files.shows('my apples', 'my pears', 'mytho')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('my p')
  await expect(files.status).not.toContainText('selected')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/my%20pears$/)
})

test('the links and buttons of the sidebar keep their positions from page to page', async ({
  files,
  page,
  server,
}) => {
  await files.openRoot()
  writeFileSync(join(server.root, 'a.bin'), 'x')
  await files.shows('a.bin')
  const sidebar = page.getByRole('complementary', { name: 'Navigation' })
  // Without digits of the texts: the free space of the disk changes during the test.
  const positions = () =>
    sidebar
      .locator('a, button')
      .evaluateAll((all) =>
        all.map(
          (one) => `${one.textContent?.replace(/\d+/g, '')} ${one.getBoundingClientRect().top}`,
        ),
      )
  const inFolder = await positions()
  expect(inFolder.length).toBeGreaterThan(6)
  await files.row('a.bin').dblclick()
  await expect(page).toHaveURL(/a\.bin$/)
  await expect(files.sidebar('New folder')).toBeDisabled()
  expect(await positions()).toEqual(inFolder)
  await sidebar.getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(/\/settings\//)
  await expect(files.sidebar('New folder')).toBeDisabled()
  expect(await positions()).toEqual(inFolder)
  await files.goHome()
  await expect(files.sidebar('New folder')).toBeEnabled()
  expect(await positions()).toEqual(inFolder)
})

test('a failed thumbnail is not requested again while scrolling', async ({
  files,
  page,
  server,
}) => {
  await files.openRoot()
  mkdirSync(join(server.root, 'in'))
  writeFileSync(join(server.root, 'broken.jpg'), 'no picture at all')
  const asked = await requestsAfterReload(page, (request) =>
    pathOf(request).startsWith('/api/preview/'),
  )
  await files.shows('in', 'broken.jpg')
  await expect.poll(async () => (await asked[0]?.response())?.status()).toBe(422)
  for (let pass = 0; pass < 3; pass += 1) {
    await files.row('in').dblclick()
    await expect(page.getByText('This folder is empty')).toBeVisible()
    await page.goBack()
    await files.shows('in', 'broken.jpg')
  }
  expect(asked).toHaveLength(1)
})

test('no focus ring is shown after mouse navigation, and a key press shows it', async ({
  files,
  page,
  server,
}) => {
  mkdirSync(join(server.root, 'in'))
  for (const name of ['a', 'b']) writeFileSync(join(server.root, 'in', name), '')
  await files.openRoot()
  await files.row('in').dblclick()
  await files.shows('a', 'b')
  await expect(files.grid).toBeFocused()
  expect(await focusRingsOn(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  expect(await focusRingsOn(page)).toHaveLength(1)
})

test('the connection banner is above the middle of the content', async ({ files, page }) => {
  await files.openRoot()
  // With the probe: a connection that comes back loads the listing again, and hides the banner.
  await page.route(/\/(api\/|health$)/, (route) => route.abort())
  const banner = page.getByRole('status').filter({ hasText: 'No connection to the server' })
  // One of the page's first requests may fail before the menu is used; the banner is shown then, too.
  await expect(async () => {
    if (await banner.isVisible()) return
    await page.getByText('This folder is empty').click({ button: 'right', timeout: 2000 })
    await files.menuItem('Refresh').click({ timeout: 2000 })
    await expect(banner).toBeVisible({ timeout: 2000 })
  }).toPass()
  // What is shown stays, although it could not be loaded again.
  await expect(page.getByText('This folder is empty')).toBeVisible()
  for (const width of [1440, 800, 390]) {
    await page.setViewportSize({ width, height: 800 })
    const content = page.getByRole('main')
    await expect.poll(async () => (await middleOf(banner)) - (await middleOf(content))).toBe(0)
  }
})

/** The horizontal middle of an element, in whole pixels. */
async function middleOf(element: Locator): Promise<number> {
  const box = await element.boundingBox()
  return Math.round((box?.x ?? 0) + (box?.width ?? 0) / 2)
}

/** The texts of the entries that show a focus ring. */
async function focusRingsOn(page: Page): Promise<string[]> {
  return page
    .getByRole('gridcell')
    .or(page.getByRole('row'))
    .evaluateAll((all) =>
      all
        .filter((one) => getComputedStyle(one).outlineStyle === 'solid')
        .map((one) => one.textContent ?? ''),
    )
}

test('messages are beside the sidebar, also when it is folded', async ({ files, page, server }) => {
  writeFileSync(join(server.root, 'a.txt'), 'x')
  await files.openRoot()
  const positions: number[] = []
  // Selected once: on a fast machine, a second click on the row would be a double click.
  await files.select('a.txt')
  for (const action of ['Collapse sidebar', 'Expand sidebar']) {
    await page.keyboard.press('Control+c')
    await expect(files.toasts).toContainText('ready to paste')
    const [toasts, sidebar] = await Promise.all([
      page.locator('.Toasts').boundingBox(),
      page.getByRole('complementary', { name: 'Navigation' }).boundingBox(),
    ])
    positions.push((toasts?.x ?? 0) - (sidebar?.x ?? 0) - (sidebar?.width ?? 0))
    await page.getByRole('button', { name: action }).click()
  }
  expect(positions[0]).toBe(positions[1])
})
