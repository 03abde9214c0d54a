import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { gate } from '../../../support/storage/gate.ts'
import { expect, test } from '../../fixtures.ts'
import { Finger } from '../../pages/Finger.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('a long press selects; a shorter press, or one that moves, does not', async ({
  files,
  server,
  page,
}) => {
  for (const name of ['a', 'b', 'c']) writeFileSync(join(server.root, name), 'x')
  await files.openRoot()
  await files.shows('a', 'b', 'c')
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const finger = new Finger(page)

  await finger.down(files.row('b'))
  await page.clock.runFor(UI_LIMITS.longPressMs - 1)
  await expect(files.row('b')).toHaveAttribute('aria-selected', 'false')
  await page.clock.runFor(1)
  await expect(files.row('b')).toHaveAttribute('aria-selected', 'true')
  await finger.up()
  await expect(files.row('b')).toHaveAttribute('aria-selected', 'true')
  await expect(files.selection).toContainText('1 selected')

  await finger.down(files.row('c'))
  await finger.move(0, -2 * UI_LIMITS.longPressTolerancePx)
  await page.clock.runFor(2 * UI_LIMITS.longPressMs)
  await finger.up()
  await expect(files.row('c')).toHaveAttribute('aria-selected', 'false')
})

test('a tap opens; during a selection it toggles @spec-4.9', async ({ files, server, page }) => {
  for (const name of ['a', 'b']) mkdirSync(join(server.root, name))
  await files.openRoot()
  await files.longPress('a')
  await files.row('b').tap()
  await expect(files.selection).toContainText('2 selected')
  await files.row('a').tap()
  await files.row('b').tap()
  await expect(files.selection).toBeHidden()
  await files.row('b').tap()
  await expect(page).toHaveURL(/\/files\/b\/$/)
})

test('a finger moves a favourite to another place, and a tap moves it up', async ({
  files,
  server,
  page,
}) => {
  for (const name of ['a', 'b', 'c']) mkdirSync(join(server.root, name))
  await files.openRoot()
  const favourites = page.getByRole('region', { name: 'Favourites' })
  for (const name of ['a', 'b', 'c']) await files.choose(name, 'Add to favourites')
  await page.getByRole('button', { name: 'Menu', exact: true }).tap()
  const links = favourites.getByRole('link')
  await expect(links).toHaveText(['a', 'b', 'c'])
  const handle = (name: string) => favourites.getByRole('button', { name: `Move ${name} up` })

  const finger = new Finger(page)
  const rowPx = (await links.nth(1).boundingBox())?.height ?? 0
  await finger.down(handle('a'))
  for (const part of [0.5, 1, 0.5]) await finger.move(0, part * rowPx)
  await finger.up()
  await expect(links).toHaveText(['b', 'c', 'a'])

  await finger.down(handle('a'))
  await finger.move(0, -2 * rowPx)
  await finger.cancel()
  await expect(links).toHaveText(['b', 'c', 'a'])

  await handle('a').tap()
  await expect(links).toHaveText(['b', 'a', 'c'])
  await handle('b').tap()
  await expect(links).toHaveText(['a', 'c', 'b'])
  await page.reload()
  await page.getByRole('button', { name: 'Menu', exact: true }).tap()
  await expect(links).toHaveText(['a', 'c', 'b'])
})

test('the empty favourites say how a finger adds a folder', async ({ files, server, page }) => {
  mkdirSync(join(server.root, 'a'))
  await files.openRoot()
  await files.shows('a')
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  const favourites = page.getByRole('region', { name: 'Favourites' })
  await menu.tap()
  await expect(favourites).toContainText('Choose “Add to favourites” in the menu of a folder.')
  await page.keyboard.press('Escape')
  await files.choose('a', 'Add to favourites')
  await menu.tap()
  await expect(favourites.getByRole('link')).toHaveText(['a'])
})

test('the editor has buttons for actions that need keys elsewhere', async ({
  files,
  server,
  page,
}) => {
  writeFileSync(join(server.root, 'a.txt'), 'one two')
  await files.openRoot()
  await files.row('a.txt').tap()
  const tools = page.getByRole('toolbar', { name: 'Editing' })
  const text = page.getByRole('textbox', { name: 'a.txt', exact: true })
  await expect(tools.getByRole('button', { name: 'Undo' })).toBeDisabled()
  await text.tap()
  await page.keyboard.insertText('zero ')
  const changed = await text.textContent()
  await tools.getByRole('button', { name: 'Undo' }).tap()
  await expect(text).toHaveText('one two')
  await tools.getByRole('button', { name: 'Redo' }).tap()
  await expect(text).toHaveText(changed ?? '')
  await tools.getByRole('button', { name: 'Find' }).tap()
  await expect(page.getByRole('search')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).tap()
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  expect(readFileSync(join(server.root, 'a.txt'), 'utf8')).toBe(changed)
})

test('the selection bar applies its actions to the selection @spec-2.19', async ({
  files,
  server,
}) => {
  for (const name of ['a', 'b', 'c']) writeFileSync(join(server.root, name), 'x')
  await files.openRoot()
  await files.longPress('a')
  await files.row('c').tap()
  await expect(files.add).toBeHidden()
  await files.selection.getByRole('button', { name: 'Delete' }).tap()
  await files.shows('b')
  expect(existsSync(join(server.root, 'a'))).toBe(false)
})

test('the selection bar disappears when the selection is cleared', async ({ files, server }) => {
  writeFileSync(join(server.root, 'a'), 'x')
  await files.openRoot()
  await files.longPress('a')
  await files.selection.getByRole('button', { name: 'Clear selection' }).tap()
  await expect(files.selection).toBeHidden()
  await expect(files.add).toBeVisible()
})

test('the "+" button uploads files and creates folders', async ({
  files,
  server,
  uploads,
  page,
}) => {
  await files.openRoot()
  const local = temporaryFolder()
  writeFileSync(join(local.path, 'photo.jpg'), 'x')
  await files.uploadByAdd(join(local.path, 'photo.jpg'))
  await expect(uploads.card).toContainText('1 file uploaded')
  await files.shows('photo.jpg')
  local.remove()

  await uploads.card.getByRole('button', { name: 'Close' }).tap()
  await expect(files.selection).toBeHidden()
  await files.add.tap()
  await files.menuItem('New folder').tap()
  await files.prompt.field.fill('Holidays')
  await files.prompt.button('Create folder').tap()
  await expect(page).toHaveURL(/\/files\/Holidays\/$/)
  expect(readdirSync(server.root).sort()).toEqual(['Holidays', 'photo.jpg'])
})

test('the drawer opens, and closes after the next action', async ({ files, page }) => {
  await files.openRoot()
  await files.topButton('Menu').tap()
  await expect(files.drawer).toBeVisible()
  await page.touchscreen.tap(380, 400)
  await expect(files.drawer).toBeHidden()
  await files.topButton('Menu').tap()
  await files.drawer.getByRole('button', { name: 'New folder' }).tap()
  await expect(files.drawer).toBeHidden()
  await expect(files.prompt.field).toBeFocused()
})

test('the list with one column is sorted by a menu', async ({ files, server }) => {
  for (const [name, size] of [
    ['a', 1],
    ['b', 3],
    ['c', 2],
  ] as const) {
    writeFileSync(join(server.root, name), 'x'.repeat(size))
  }
  await files.openRoot()
  await files.shows('a', 'b', 'c')
  await files.sortedBy('Name').tap()
  await files.menuItem('Size').tap()
  await files.shows('b', 'c', 'a')
  await files.sortedBy('Size').tap()
  await files.menuItem('Size').tap()
  await files.shows('a', 'c', 'b')
})

test('back closes overlays above the folder, and then leads to the previous folder @spec-2.27', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'folder'))
  writeFileSync(join(server.root, 'folder', 'inside'), 'x')
  await files.openRoot()
  const openings = [
    async () => {
      await files.longPress('inside')
      await files.selection.getByRole('button', { name: 'Move' }).tap()
      await expect(files.prompt.card).toBeVisible()
    },
    async () => {
      await files.topButton('Menu').tap()
      await expect(files.drawer).toBeVisible()
    },
    async () => {
      await files.topButton('More').tap()
      await expect(files.menu).toBeVisible()
    },
    async () => {
      await files.search.tap()
      await expect(files.prompt.card).toBeVisible()
    },
  ]
  for (const openOverlay of openings) {
    await files.row('folder').tap()
    await files.shows('inside')
    await openOverlay()
    await page.goBack()
    await expect(files.prompt.card).toBeHidden()
    await expect(files.menu).toBeHidden()
    await files.shows('inside')
    if (await files.selection.isVisible()) {
      await page.goBack()
      await expect(files.selection).toBeHidden()
      await expect(files.row('inside')).toHaveAttribute('aria-selected', 'false')
      await files.shows('inside')
    }
    await page.goBack()
    await files.shows('folder')
    await expect(files.selection).toBeHidden()
    expect(existsSync(join(server.root, 'folder', 'inside'))).toBe(true)
  }
})

test('back closes a dialog even without an earlier history entry', async ({ files, page }) => {
  await page.goto('about:blank')
  await page.goto('./files/')
  await expect(files.status).toBeVisible()
  await files.search.tap()
  await expect(files.prompt.card).toBeVisible()
  await page.goBack()
  await expect(files.prompt.card).toBeHidden()
  await expect(files.status).toBeVisible()
  await files.search.tap()
  await expect(files.prompt.card).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(files.prompt.card).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL('about:blank')
})

test('the home breadcrumb is shown before one folder, and others are hidden', async ({
  files,
  server,
}) => {
  mkdirSync(join(server.root, 'one/two'), { recursive: true })
  const hidden = files.breadcrumbs.getByRole('button', { name: 'Hidden folders' })
  await files.open('/one')
  await expect(files.breadcrumbs.getByRole('link', { name: 'My files' })).toBeVisible()
  await expect(hidden).toBeHidden()
  await files.open('/one/two')
  await expect(hidden).toBeVisible()
})

test('a menu is a sheet at the bottom edge with a heading @spec-2.27', async ({
  files,
  server,
  page,
}) => {
  writeFileSync(join(server.root, 'a.txt'), 'x')
  await files.openRoot()
  await files.more('a.txt').tap()
  await expect(files.menu).toContainText('a.txt')
  await expect.poll(() => files.menu.boundingBox()).toMatchObject({ x: 0, width: 390 })
  const { y = 0, height = 0 } = (await files.menu.boundingBox()) ?? {}
  expect(y + height).toBe(844)
  await page.goBack()
  // The menu is closed first, then the selection of its item.
  await expect(files.menu).toHaveCount(0)
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('1 selected')
  await files.more('a.txt').tap()
  await expect(files.menu).toContainText('a.txt')
  await page.touchscreen.tap(130, 60)
  // By its attribute: the role of a hidden menu does not count.
  await expect(page.locator('[role=menu]')).toHaveCount(0)
  await page.goBack()
  await files.add.tap()
  await expect(files.menuItem('Upload files')).toBeInViewport()
  await page.goBack()
  await expect(files.menu).toBeHidden()
})

test('the "+" button takes a photo with the camera, and each photo has its own name @spec-2.27', async ({
  files,
  server,
  page,
}) => {
  await files.openRoot()
  const local = temporaryFolder()
  writeFileSync(join(local.path, 'image.jpg'), 'x')
  await files.add.tap()
  const chooser = page.waitForEvent('filechooser')
  await files.menuItem('Take a photo').tap()
  const input = await chooser
  expect(await input.element().getAttribute('capture')).toBe('environment')
  expect(await input.element().getAttribute('accept')).toBe('image/*')
  await input.setFiles(join(local.path, 'image.jpg'))
  await expect
    .poll(() => readdirSync(server.root).filter((name) => !name.startsWith('.')))
    .toEqual([expect.stringMatching(/^Photo \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.jpg$/)])
  local.remove()
})

test('a long pull at the top of the list reloads it, a short or a cancelled pull does not @spec-2.27', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'folder'))
  for (const name of ['a', 'b']) writeFileSync(join(server.root, 'folder', name), 'x')
  await files.open('/folder')
  await files.shows('a', 'b')
  const finger = new Finger(page)
  const mark = page.locator('.PullToRefresh')
  await finger.down(files.row('a'))
  await finger.move(0, 40)
  await expect(mark).toHaveAttribute('data-phase', 'pull')
  await finger.up()
  await expect(mark).toHaveAttribute('data-phase', 'rest')

  const pullFar = async () => {
    await finger.down(files.row('a'))
    await finger.move(0, 80)
    await finger.move(0, 200)
    await expect(mark).toHaveAttribute('data-phase', 'enough')
  }
  await pullFar()
  const phases = await mark.evaluateHandle((icon: HTMLElement) => {
    const seen: (string | undefined)[] = []
    const observer = new MutationObserver(() => seen.push(icon.dataset.phase))
    observer.observe(icon, { attributeFilter: ['data-phase'] })
    return seen
  })
  await finger.cancel()
  await expect(mark).toHaveAttribute('data-phase', 'rest')
  expect(await phases.jsonValue()).toEqual(['rest'])

  await pullFar()
  const held = gate()
  await page.route('**/api/resources/folder**', async (route) => {
    await held.opened
    await route.continue()
  })
  await finger.up()
  await expect(mark).toHaveAttribute('data-phase', 'busy')
  await expect(mark.getByRole('status', { name: 'Refreshing' })).toBeVisible()
  held.open()
  await expect(mark).toHaveAttribute('data-phase', 'rest')
  await files.shows('a', 'b')
  await expect(files.row('a')).toHaveAttribute('aria-selected', 'false')
})

test('an empty folder has a hint for touch screens', async ({ files, page }) => {
  await files.openRoot()
  await expect(files.add).toBeVisible()
  await expect(page.getByText('with the + button below')).toBeVisible()
  await expect(page.getByText(/drop/i)).toBeHidden()
})

test.describe('a picture', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('a picture keeps its name and its buttons while nothing moves', async ({
    files,
    server,
    page,
  }) => {
    writeFileSync(join(server.root, 'a.png'), Buffer.from(PIXEL, 'base64'))
    await files.openRoot()
    await page.clock.install()
    await files.row('a.png').tap()
    const close = page.getByRole('button', { name: 'Close', exact: true })
    const menu = page.locator('.TopBar__menu')
    await expect(close).toBeVisible()
    await page.clock.runFor(2 * ON_DEMAND_LIMITS.viewerIdleMs)
    await expect(menu).toHaveCSS('opacity', '1')
    await expect(page.getByRole('toolbar', { name: 'Picture' }).locator('..')).toHaveCSS(
      'opacity',
      '1',
    )
    await close.tap()
    await files.shows('a.png')
  })
})

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('rendered Markdown has a button for its text above it', async ({ page, server, opened }) => {
  writeFileSync(join(server.root, 'notes.md'), '# Notes')
  await opened.open('/notes.md')
  const tools = page.getByRole('toolbar', { name: 'Editing' })
  await expect(page.getByRole('heading', { name: 'Notes' })).toBeVisible()
  await expect(tools.getByRole('button')).toHaveCount(1)
  await tools.getByRole('button', { name: 'Show as text' }).tap()
  await expect(page.getByRole('textbox', { name: 'notes.md' })).toBeVisible()
  await tools.getByRole('button', { name: 'Show formatted' }).tap()
  await expect(page.getByRole('heading', { name: 'Notes' })).toBeVisible()
})
