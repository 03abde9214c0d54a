import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright/test'
import { expect, test } from '../../fixtures.ts'
import { FileDrag } from '../../pages/FileDrag.ts'
import { Finger } from '../../pages/Finger.ts'

test('dragging an entry onto a folder moves it; with Ctrl it is copied @spec-10.9', async ({
  files,
  server,
}) => {
  mkdirSync(join(server.root, 'to'))
  for (const name of ['moves', 'copies']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  await files.drag(files.handle('moves'), files.row('to'))
  await files.shows('to', 'copies')
  expect(readFileSync(join(server.root, 'to/moves'), 'utf8')).toBe('moves')

  await files.drag(files.handle('copies'), files.row('to'), { copy: true })
  await expect(files.toasts).toContainText('copies copied to to')
  await files.shows('to', 'copies')
  expect(readFileSync(join(server.root, 'to/copies'), 'utf8')).toBe('copies')
})

test('one button undoes the move of all entries that were dragged', async ({ files, server }) => {
  mkdirSync(join(server.root, 'to'))
  for (const name of ['a', 'b', 'c']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  await files.shows('to', 'a', 'b', 'c')
  await files.select('a', 'b')
  await files.drag(files.handle('b'), files.row('to'))
  await files.shows('to', 'c')
  await files.toasts.getByRole('button', { name: 'Undo' }).click()
  await files.shows('to', 'a', 'b', 'c')
})

test('dragging a selected entry drags the selection, dragging any other drags only that one', async ({
  files,
  server,
}) => {
  mkdirSync(join(server.root, 'to'))
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  await files.select('a', 'c')
  await files.drag(files.handle('c'), files.row('to'))
  await files.shows('to', 'b', 'd')
  await files.select('b')
  await files.drag(files.handle('d'), files.row('to'))
  await files.shows('to', 'b')
  expect(['a', 'b', 'c', 'd'].map((name) => existsSync(join(server.root, 'to', name)))).toEqual([
    true,
    false,
    true,
    true,
  ])
})

test('entries are dragged onto breadcrumbs and the sidebar @spec-10.9', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'one/two'), { recursive: true })
  for (const name of ['a', 'b', 'c']) writeFileSync(join(server.root, 'one/two', name), name)
  await files.open('/one/two')
  await files.shows('a', 'b', 'c')
  await files.drag(files.handle('a'), files.breadcrumbs.getByRole('link', { name: 'one' }))
  await files.shows('b', 'c')
  await files.drag(files.handle('b'), files.breadcrumbs.getByRole('link', { name: 'My files' }))
  await files.shows('c')
  await files.drag(
    files.handle('c'),
    page.getByRole('complementary').getByRole('link', { name: 'My files' }),
  )
  await expect(page.getByText('This folder is empty')).toBeVisible()
  expect(existsSync(join(server.root, 'one/a'))).toBe(true)
  expect(existsSync(join(server.root, 'b'))).toBe(true)
  expect(existsSync(join(server.root, 'c'))).toBe(true)
})

test('items cannot be dropped into one of them, or into their own folder @spec-5.3', async ({
  files,
  server,
  page,
}) => {
  for (const name of ['here/folder', 'here/other']) {
    mkdirSync(join(server.root, name), { recursive: true })
  }
  await files.open('/here')
  await files.shows('folder', 'other')
  const moves: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') moves.push(request.url())
  })
  const other = files.row('other')
  const here = files.breadcrumbs.getByRole('link', { name: 'here' })
  await files.select('folder', 'other')
  for (const target of [other, here]) {
    await files.dragOver(files.handle('folder'), target)
    await expect(files.grid).toHaveAttribute('data-dragging')
    await expect(target).not.toHaveAttribute('data-drop-target')
    await page.mouse.up()
  }

  await page.keyboard.press('Escape')
  await files.dragOver(files.handle('folder'), other)
  await expect(other).toHaveAttribute('data-drop-target')
  await page.mouse.up()
  await files.shows('other')
  // Requests are reported in the order in which they begin: the earlier drops sent none.
  expect(moves).toHaveLength(1)
})

test('a name collision of dragged entries asks, as for every other move', async ({
  files,
  server,
}) => {
  mkdirSync(join(server.root, 'to'))
  writeFileSync(join(server.root, 'to/x.txt'), 'old')
  writeFileSync(join(server.root, 'x.txt'), 'new')
  await files.openRoot()
  await files.drag(files.handle('x.txt'), files.row('to'))
  await expect(files.prompt.card).toContainText('is already here')
  await files.prompt.button('Keep both').click()
  await files.shows('to')
  expect(readFileSync(join(server.root, 'to/x(1).txt'), 'utf8')).toBe('new')
})

test('tiles are dragged in the same way as rows', async ({ files, server }) => {
  mkdirSync(join(server.root, 'to'))
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  await files.showAs('Grid')
  await files.drag(files.tile('a.txt'), files.tile('to'))
  await expect(files.tile('a.txt')).toHaveCount(0)
  expect(existsSync(join(server.root, 'to/a.txt'))).toBe(true)
})

test('a drag ends even if its row is scrolled away before the drop', async ({
  files,
  server,
  page,
}) => {
  for (let index = 0; index < 200; index += 1) {
    writeFileSync(join(server.root, `f${String(index).padStart(3, '0')}`), '')
  }
  await files.openRoot()
  await files.dragOver(files.handle('f000'), files.row('f003'))
  await expect(files.grid).toHaveAttribute('data-dragging')
  await files.grid.evaluate((grid) => grid.scrollTo(0, grid.scrollHeight))
  await expect(files.row('f000')).toHaveCount(0)
  await page.mouse.up()
  await expect(files.grid).not.toHaveAttribute('data-dragging')
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a long press that moves drags nothing', async ({ files, server, page }) => {
    mkdirSync(join(server.root, 'to'))
    writeFileSync(join(server.root, 'a'), 'a')
    await files.openRoot()
    const finger = new Finger(page)
    await finger.down(files.row('a'))
    await expect(files.row('a')).toHaveAttribute('aria-selected', 'true')
    // Chromium on a desktop begins no drag by touch, but other browsers do.
    const begins = () =>
      files.handle('a').evaluate((element) => {
        const init = { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() }
        const isAllowed = element.dispatchEvent(new DragEvent('dragstart', init))
        if (isAllowed) element.dispatchEvent(new DragEvent('dragend', init))
        return isAllowed
      })
    expect(await begins()).toBe(false)
    await finger.move(0, -60)
    await expect(files.grid).not.toHaveAttribute('data-dragging')
    await finger.up()
    await files.handle('a').dispatchEvent('pointerdown', { pointerType: 'mouse' })
    expect(await begins()).toBe(true)
    await files.shows('to', 'a')
    expect(existsSync(join(server.root, 'a'))).toBe(true)
  })
})

test.describe('a folder opens while something is held over it', () => {
  test.beforeEach(({ server }) => {
    mkdirSync(join(server.root, 'one/two/three'), { recursive: true })
    mkdirSync(join(server.root, 'inbox/empty'), { recursive: true })
    for (const name of ['a.txt', 'b.txt', 'c.txt']) {
      writeFileSync(join(server.root, 'inbox', name), name)
    }
  })

  test('a row, and the entries are dropped into the folder that has opened', async ({
    files,
    server,
    page,
  }) => {
    await files.open('/inbox')
    const empty = page.getByText('This folder is empty')
    await startDrag(page, files.handle('a.txt'), files.row('empty'))
    await holdUntil(page, empty)
    await moveOver(page, empty)
    await page.mouse.up()
    await files.shows('a.txt')
    expect(existsSync(join(server.root, 'inbox/empty/a.txt'))).toBe(true)
    // The drag has ended: the bar shows the selection again.
    await expect(files.selection).toContainText('1 selected')
  })

  test('a breadcrumb, then a row, then its folder', async ({ files, server, page }) => {
    const home = files.breadcrumbs.getByRole('link', { name: 'My files' })
    await files.open('/inbox')
    await startDrag(page, files.handle('b.txt'), home)
    await holdUntil(page, files.row('one'))
    await moveOver(page, files.row('one'))
    await holdUntil(page, files.row('two'))
    await moveOver(page, files.row('two'))
    await holdUntil(page, files.row('three'))
    await moveOver(page, files.row('three'))
    await page.mouse.up()
    await expect.poll(() => existsSync(join(server.root, 'one/two/three/b.txt'))).toBe(true)
  })

  test('a branch of the folder tree first shows its folders', async ({ files, server, page }) => {
    const branch = (name: string) => page.getByRole('treeitem', { name, exact: true })
    await files.open('/inbox')
    await startDrag(page, files.handle('a.txt'), branch('one'))
    await holdUntil(page, branch('two'))
    await moveOver(page, branch('two'))
    await page.mouse.up()
    await expect.poll(() => existsSync(join(server.root, 'one/two/a.txt'))).toBe(true)
    await expect(page).toHaveURL(/\/files\/inbox\/$/)
  })

  test('Escape ends the drag in the folder that has opened', async ({ files, server, page }) => {
    await files.openRoot()
    await startDrag(page, files.handle('inbox'), files.row('one'))
    await holdUntil(page, files.row('two'))
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await files.select('two')
    // The bar shows the selection, and not the breadcrumbs of a drag.
    await expect(files.selection).toContainText('1 selected')
    expect(existsSync(join(server.root, 'inbox'))).toBe(true)
  })

  test('files of the desktop', async ({ files, server, page }) => {
    const drag = new FileDrag(page, [join(server.root, 'inbox/c.txt')])
    await files.openRoot()
    await drag.over(files.row('one'))
    await drag.holdUntil(files.row('two'))
    await drag.over(files.row('two'))
    await drag.holdUntil(files.row('three'))
    await drag.over(files.row('three'))
    await drag.drop()
    await expect.poll(() => existsSync(join(server.root, 'one/two/three/c.txt'))).toBe(true)
  })
})

/** Where the pointer is, for `holdUntil`. */
let at = { x: 0, y: 0 }

/** Begins to drag `from`, and moves to the middle of `target`, which may be there only then. */
async function startDrag(page: Page, from: Locator, target: Locator): Promise<void> {
  await from.hover()
  await page.mouse.down()
  await from.hover({ position: { x: 5, y: 5 } })
  await moveOver(page, target)
}

/** Moves what is dragged to the middle of `target`. */
async function moveOver(page: Page, target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('There is nothing to drag to.')
  at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(at.x, at.y, { steps: 2 })
}

/** Holds what is dragged, as a hand does: never quite still. */
async function holdUntil(page: Page, shown: Locator): Promise<void> {
  let isRight = false
  await expect(async () => {
    isRight = !isRight
    await page.mouse.move(at.x + Number(isRight), at.y)
    await expect(shown).toBeVisible({ timeout: 100 })
  }).toPass()
}
