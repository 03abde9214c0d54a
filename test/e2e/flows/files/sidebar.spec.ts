/** The sidebar: favourites, recent files, one’s own shares, and the tree of folders. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { test as base, expect } from '../../fixtures.ts'
import { Sidebar } from '../../pages/Sidebar.ts'

const test = base.extend<{ sidebar: Sidebar }>({
  sidebar: async ({ page }, use) => {
    await use(new Sidebar(page))
  },
})

test.beforeEach(({ server }) => {
  for (const folder of ['music/jazz/1959', 'music/rock', 'photos', 'work']) {
    mkdirSync(join(server.root, folder), { recursive: true })
  }
  writeFileSync(join(server.root, 'notes.txt'), 'x')
})

test('the folder tree follows the shown folder, is navigated by keys, and opens folders @spec-2.3', async ({
  files,
  sidebar,
  page,
}) => {
  await files.open('/music/jazz')
  await expect(sidebar.branch('jazz')).toHaveAttribute('aria-current', 'page')
  await expect(sidebar.branches).toHaveText(['music', 'jazz', 'rock', 'photos', 'work'])
  await sidebar.branch('jazz').focus()
  await page.keyboard.press('ArrowRight')
  await expect(sidebar.branch('1959')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(sidebar.branch('1959')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(sidebar.branch('1959')).toBeHidden()
  await page.keyboard.press('End')
  await expect(sidebar.branch('work')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/files\/work\/$/)
  await expect(sidebar.branch('work')).toHaveAttribute('aria-current', 'page')
})

test('the folder tree is on every screen, shows new folders, and accepts drops @spec-2.3', async ({
  files,
  sidebar,
  page,
  server,
}) => {
  await files.openRoot()
  await expect(sidebar.branch('photos')).toBeVisible()
  await files.drag(files.handle('notes.txt'), sidebar.branch('work'))
  await expect.poll(() => existsSync(join(server.root, 'work/notes.txt'))).toBe(true)
  mkdirSync(join(server.root, 'zoo'))
  await expect(sidebar.branch('zoo')).toBeVisible()
  await page.goto('./settings/profile')
  await expect(sidebar.branch('photos')).toBeVisible()
  await sidebar.branch('photos').click()
  await expect(page).toHaveURL(/\/files\/photos\/$/)
})

test('the folder tree shows folders that appear above the shown one', async ({
  files,
  sidebar,
  page,
  server,
}) => {
  await files.openRoot()
  await expect(sidebar.branch('photos')).toBeVisible()
  await files.sidebar('New folder').click()
  await files.prompt.field.fill('mine')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/files\/mine\/$/)
  await expect(sidebar.branch('mine')).toBeVisible()
  mkdirSync(join(server.root, 'theirs'))
  await expect(sidebar.branch('theirs')).toBeVisible()
  rmSync(join(server.root, 'theirs'), { recursive: true })
  await expect(sidebar.branch('theirs')).toBeHidden()
})

test('an open branch that does not contain the shown folder follows changes', async ({
  files,
  sidebar,
  page,
  server,
}) => {
  mkdirSync(join(server.root, 'photos/old'))
  const streams: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.startsWith(API.events)) streams.push(searchParams.getAll('also').join(' '))
  })
  await files.open('/work')
  await expect(sidebar.branch('photos')).toBeVisible()
  const opened = page.waitForResponse((answer) => answer.url().includes('also=%2Fphotos'))
  await sidebar.branch('photos').press('ArrowRight')
  await expect(sidebar.branch('old')).toBeVisible()
  await opened
  renameSync(join(server.root, 'photos/old'), join(server.root, 'photos/older'))
  await expect(sidebar.branch('older')).toBeVisible()
  await expect(sidebar.branch('old')).toBeHidden()
  mkdirSync(join(server.root, 'photos/new'))
  await expect(sidebar.branch('new')).toBeVisible()
  rmSync(join(server.root, 'photos/new'), { recursive: true })
  await expect(sidebar.branch('new')).toBeHidden()
  expect(streams).toEqual(['/work /', '/work / /photos'])
})

test('favourites are added by dragging, ordered, stored on the server, and removed @spec-2.3', async ({
  files,
  sidebar,
  page,
}) => {
  await files.openRoot()
  await expect(sidebar.section('Favourites')).toContainText('Drag a folder here')
  await files.drag(
    files.handle('photos'),
    sidebar.section('Favourites').getByRole('button').first(),
  )
  await expect(sidebar.favourites).toHaveText(['photos'])
  await files.row('music').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Add to favourites' }).click()
  await expect(sidebar.favourites).toHaveText(['photos', 'music'])
  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/favourites') && answer.request().method() === 'PUT',
  )
  await sidebar.favourites.last().focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(sidebar.favourites).toHaveText(['music', 'photos'])
  expect((await saved).status()).toBe(200)

  await page.reload()
  await expect(sidebar.favourites).toHaveText(['music', 'photos'])
  const moved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/favourites') && answer.request().method() === 'PUT',
  )
  await sidebar.favourites.last().dragTo(sidebar.favourites.first())
  await expect(sidebar.favourites).toHaveText(['photos', 'music'])
  expect((await moved).status()).toBe(200)
  await sidebar.favourites.first().click()
  await expect(page).toHaveURL(/\/files\/photos\/$/)
  await sidebar.favourites.first().hover()
  await sidebar.section('Favourites').getByRole('button', { name: 'Remove photos' }).click()
  await expect(sidebar.favourites).toHaveText(['music'])
})

test('recent files and one’s own shares are in the sidebar @spec-2.3', async ({
  files,
  sidebar,
  page,
}) => {
  await files.openRoot()
  await sidebar.section('Recent').getByRole('button', { name: 'Recent' }).click()
  await expect(sidebar.section('Recent')).toContainText('Files that you open or change')
  await files.select('notes.txt')
  await page.keyboard.press('F2')
  await expect(files.prompt.field).toBeFocused()
  await page.keyboard.type('plans')
  await page.keyboard.press('Enter')
  await expect(files.row('plans.txt')).toBeVisible()
  await files.open('/work')
  await expect(sidebar.section('Recent').getByRole('link')).toHaveText(['plans.txt'])
  await sidebar.section('Recent').getByRole('link').click()
  await expect(page).toHaveURL(/\/files\/plans\.txt$/)
  await sidebar.link('Shares').click()
  await expect(page).toHaveURL(/\/settings\/shares$/)
})

test('the arrows of the breadcrumbs list sibling folders @spec-2.5', async ({ files, page }) => {
  await files.open('/music/jazz')
  await page.getByRole('button', { name: 'Folders in music' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['jazz', 'rock'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/files\/music\/rock\/$/)
  await page.getByRole('button', { name: 'Folders in My files' }).click()
  await page.getByRole('menuitem', { name: 'photos' }).click()
  await expect(page).toHaveURL(/\/files\/photos\/$/)
})

test('the sidebar is resized by pointer and keyboard, and keeps its width', async ({
  files,
  sidebar,
  page,
}) => {
  await files.openRoot()
  const edge = page.getByRole('separator', { name: 'Width of the sidebar' })
  const width = async () => Math.round((await sidebar.box).width)
  await expect(edge).toBeVisible()
  const first = await width()
  const box = await edge.boundingBox()
  if (!box) throw new Error('The edge is not visible.')
  await page.mouse.move(box.x + 4, 400)
  await page.mouse.down()
  await page.mouse.move(box.x + 104, 400, { steps: 4 })
  await page.mouse.up()
  await expect.poll(width).toBe(first + 100)
  await edge.press('ArrowRight')
  await expect.poll(width).toBe(first + 116)
  await page.reload()
  await expect(edge).toBeVisible()
  expect(await width()).toBe(first + 116)
  await edge.press('End')
  await expect.poll(width).toBe(480)
  await edge.press('Home')
  await expect.poll(width).toBe(200)
  await edge.dblclick()
  await expect.poll(width).toBe(first)
})

test('of a deep folder the whole name is shown, and the sidebar has one area that scrolls', async ({
  files,
  sidebar,
  page,
  server,
}) => {
  const name = 'a folder with a name that is longer than one line of the sidebar'
  mkdirSync(join(server.root, 'work/2/3/4/5/6/7/8/9/10', name), { recursive: true })
  await files.open(`/work/2/3/4/5/6/7/8/9/10/${name}`)
  const current = sidebar.branch(name)
  await expect(current).toBeInViewport({ ratio: 1 })
  const label = current.locator('bdi')
  expect(await label.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
  const [row, text] = [await current.boundingBox(), await label.boundingBox()]
  expect(text?.width).toBeGreaterThan(60)
  expect(text?.height).toBeLessThanOrEqual(row?.height ?? 0)
  const indents = await Promise.all(
    ['6', '7', '10'].map(
      async (one) => (await sidebar.branch(one).locator('bdi').boundingBox())?.x,
    ),
  )
  expect(indents[1]).toBeGreaterThan(indents[0] ?? 0)
  expect(indents[2]).toBe(indents[1])
  const scrollers = await page
    .getByRole('complementary', { name: 'Navigation' })
    .evaluate(
      (side) =>
        [side, ...side.querySelectorAll('*')]
          .filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1)
          .filter((one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowY)).length,
    )
  expect(scrollers).toBe(1)
})

test('how to add a favourite is explained until there was one', async ({
  files,
  sidebar,
  page,
}) => {
  await files.openRoot()
  const favourites = sidebar.section('Favourites')
  await expect(favourites).toContainText('Drag a folder here')
  await files.choose('photos', 'Add to favourites')
  await expect(sidebar.favourites).toHaveText(['photos'])
  await sidebar.favourites.first().hover()
  await favourites.getByRole('button', { name: 'Remove photos' }).click()
  await expect(sidebar.favourites).toHaveCount(0)
  await expect(favourites).not.toContainText('Drag a folder here')
  await page.reload()
  await expect(sidebar.branch('photos')).toBeVisible()
  await expect(favourites.getByRole('button', { name: 'Favourites' })).toBeVisible()
  await expect(favourites).not.toContainText('Drag a folder here')
})

test('nothing in the sidebar moves when a drag begins, with favourites or without', async ({
  files,
  sidebar,
  page,
}) => {
  await files.openRoot()
  await expect(sidebar.section('Favourites')).toContainText('Drag a folder here')
  await expect(sidebar.branches).toHaveText(['music', 'photos', 'work'])

  /** Holds `notes.txt` over a folder of the tree, and compares where the folders are. */
  async function dragAndCompare(): Promise<void> {
    const tops = () =>
      sidebar.branches.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y))
    const before = await tops()
    await files.dragOver(files.handle('notes.txt'), sidebar.branch('photos'))
    await expect(sidebar.branch('photos')).toHaveAttribute('data-drop-target', '')
    expect(await tops()).toEqual(before)
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await files.shows('music', 'photos', 'work', 'notes.txt')
  }
  await dragAndCompare()
  await files.choose('photos', 'Add to favourites')
  await expect(sidebar.favourites).toHaveText(['photos'])
  await dragAndCompare()
})

test('a favourite is dragged to any position, also to the last', async ({ files, sidebar }) => {
  await files.openRoot()
  for (const [index, name] of ['music', 'photos', 'work'].entries()) {
    await files.choose(name, 'Add to favourites')
    await expect(sidebar.favourites).toHaveCount(index + 1)
  }
  await sidebar.favourites.first().dragTo(sidebar.favourites.last())
  await expect(sidebar.favourites).toHaveText(['photos', 'work', 'music'])
  await sidebar.favourites.last().dragTo(sidebar.favourites.nth(1))
  await expect(sidebar.favourites).toHaveText(['photos', 'music', 'work'])
})

test.describe('in a low window', () => {
  test.use({ viewport: { width: 1440, height: 800 } })

  test('the sections are not cut with a few folders, and titles stay with many', async ({
    files,
    sidebar,
    page,
    server,
  }) => {
    for (const name of ['x', 'y', 'z']) mkdirSync(join(server.root, name))
    await files.open('/z')
    await expect(sidebar.branch('z')).toHaveAttribute('aria-current', 'page')
    await expect(sidebar.branch('z')).toBeInViewport({ ratio: 1 })
    const favourites = sidebar.section('Favourites')
    await expect(favourites.getByText('Drag a folder here')).toBeInViewport({ ratio: 1 })
    await expect(favourites.getByRole('button')).toBeInViewport({ ratio: 1 })

    for (let index = 0; index < 30; index += 1) mkdirSync(join(server.root, `z ${index}`))
    await page.goto('./files/z%2029/')
    await expect(sidebar.branch('z 29')).toBeInViewport({ ratio: 1 })
    const title = sidebar.section('Folders').getByRole('button', { name: 'Folders', exact: true })
    await expect(title).toBeInViewport({ ratio: 1 })
  })
})
