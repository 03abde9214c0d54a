import { createHash } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'
import { Sidebar } from '../../pages/Sidebar.ts'

test('folders open, and the breadcrumbs open their parent folders @spec-2.11 @spec-2.13', {
  tag: '@both',
}, async ({ files, server, page }) => {
  mkdirSync(join(server.root, 'one/two/three/four/five'), { recursive: true })
  writeFileSync(join(server.root, 'one/two/three/four/five/deep.txt'), 'x')
  await files.openRoot()
  await files.row('one').dblclick()
  await files.row('two').dblclick()
  await expect(files.breadcrumbs).toContainText('two')
  await page.goBack()
  await files.shows('two')
  await files.open('/one/two/three/four/five')
  await files.shows('deep.txt')
  await expect(page).toHaveTitle(/^five.*filemgr$/)
  await files.breadcrumbs.getByRole('link', { name: 'My files' }).click()
  await files.shows('one')
})

test('a slow double click opens a folder, if the system counts it as one', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'one/two'), { recursive: true })
  await files.openRoot()
  await files.row('one').click({ clickCount: 1 })
  await expect(files.row('one')).toHaveAttribute('aria-selected', 'true')
  // Longer than a quick double click: the user may have set more in the system.
  await page.waitForTimeout(500)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await files.shows('two')
})

test('the breadcrumbs show the last four folders, and the others open from “…” @spec-2.13', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'one/two/three/four/five/six'), { recursive: true })
  await files.open('/one/two/three/four')
  const names = () => files.breadcrumbs.getByRole('listitem').allInnerTexts()
  const parts = ['one', 'two', 'three', 'four', 'five', 'six']
  const hidden = files.breadcrumbs.getByRole('button', { name: 'Hidden folders' })
  for (const part of parts.slice(0, 4)) await expect(files.breadcrumbs).toContainText(part)
  await expect(hidden).toBeHidden()
  await files.open('/one/two/three/four/five/six')
  await expect(files.breadcrumbs).toContainText('six')
  const shown = (await names()).join(' ')
  expect(parts.filter((part) => shown.includes(part))).toEqual(['three', 'four', 'five', 'six'])
  await hidden.click()
  await expect(page.getByRole('menuitem')).toHaveText(['one', 'two'])
  await page.getByRole('menuitem', { name: 'two' }).click()
  await expect(page).toHaveURL(/\/files\/one\/two\/$/)
})

test('one click opens an entry if the user prefers that, else it selects @spec-4.9', async ({
  files,
  server,
  page,
  settings,
}) => {
  mkdirSync(join(server.root, 'docs'))
  writeFileSync(join(server.root, 'docs/in.txt'), '')
  await files.openRoot()
  await files.row('docs').click()
  await expect(files.row('docs')).toHaveAttribute('aria-selected', 'true')
  await expect(page).toHaveURL(/\/files\/$/)

  await settings.open('profile')
  await settings.toggle('Open with a single click').click()
  await expect(settings.toasts).toContainText('Settings saved')
  await files.open('/')
  await files.row('docs').click()
  await expect(page).toHaveURL(/\/files\/docs\/$/)
  await files.shows('in.txt')
})

test('unusual names open and are displayed unchanged', async ({ files, server, page }) => {
  const names = ['a#b', 'a%23b', '100%', 'a b+c&d=e?', '<b>bold&amp;', 'صور']
  for (const name of names) {
    mkdirSync(join(server.root, name))
    writeFileSync(join(server.root, name, 'inside.txt'), name)
  }
  await files.openRoot()
  for (const name of names) {
    await files.row(name).dblclick()
    await files.shows('inside.txt')
    await page.goBack()
    await expect(files.row(name)).toBeVisible()
  }
})

test('a file is downloaded byte for byte', { tag: '@both' }, async ({ files, server, page }) => {
  const bytes = crypto.getRandomValues(new Uint8Array(64_000))
  writeFileSync(join(server.root, 'data #1%.bin'), bytes)
  await files.openRoot()
  await files.select('data #1%.bin')
  const coming = page.waitForEvent('download')
  await page.keyboard.press('ControlOrMeta+s')
  const download = await coming
  expect(download.suggestedFilename()).toBe('data #1%.bin')
  const sum = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')
  expect(sum(readFileSync(await download.path()))).toBe(sum(bytes))
})

test('the column headings sort the listing @spec-2.18', async ({ files, server }) => {
  writeFileSync(join(server.root, 'a10.txt'), 'x')
  writeFileSync(join(server.root, 'a9.txt'), 'xxx')
  mkdirSync(join(server.root, 'z'))
  await files.openRoot()
  await files.shows('z', 'a9.txt', 'a10.txt')
  await files.grid.getByRole('button', { name: 'Name', exact: true }).click()
  await files.shows('z', 'a10.txt', 'a9.txt')
  await files.grid.getByRole('button', { name: 'Size' }).click()
  await files.shows('z', 'a9.txt', 'a10.txt')
  await files.grid.getByRole('button', { name: 'Size' }).click()
  await files.shows('z', 'a10.txt', 'a9.txt')
})

test('a folder of 50 000 entries opens and scrolls to its end @spec-4.10', async ({
  files,
  server,
  page,
}) => {
  for (let index = 0; index < 50_000; index += 1) writeFileSync(join(server.root, `f${index}`), '')
  await files.openRoot()
  await expect(files.status).toContainText('50,000 files')
  await page.keyboard.press('End')
  await expect(files.row('f49999')).toBeVisible()
  expect(await files.grid.getByRole('row').count()).toBeLessThan(200)
})

test('a path that does not exist offers the nearest existing folder', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'there/below'), { recursive: true })
  await files.open('/there/no/such/place')
  await expect(page.getByRole('button', { name: 'Go to there' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'My files', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Go to there' }).click()
  await files.shows('below')
  await files.open('/no/such/place')
  await expect(page.getByText('Page not found')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Go to/ })).toBeHidden()
})

test('a broken link shows its state, and a download reports that it is left out', async ({
  files,
  server,
  page,
}) => {
  symlinkSync('gone.txt', join(server.root, 'broken.txt'))
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(server.root, name), '')
  await files.openRoot()
  await files.shows('a.txt', 'b.txt', 'broken.txt')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+s')
  await expect(files.toasts).toContainText('1 broken link is left out.')
  await page.keyboard.press('Escape')
  await files.open('/broken.txt')
  await expect(page.getByRole('heading', { name: 'This link is broken' })).toBeVisible()
})

test('an administrator sees a link that leads outside without a size, and can delete it', async ({
  files,
  server,
  page,
}) => {
  symlinkSync('/nonexistent', join(server.root, 'outer'))
  writeFileSync(join(server.root, 'a.txt'), '')
  await files.openRoot()
  await files.shows('a.txt', 'outer')
  await expect(files.row('outer')).toContainText('Link outside')
  await expect(files.row('outer')).not.toContainText('12 B')
  await expect(files.status).toContainText('2 files')
  await files.showAs('Grid')
  await expect(files.tile('outer')).toContainText('Link outside')
  await files.tile('outer').click()
  await page.keyboard.press('Delete')
  await expect(files.tile('outer')).toBeHidden()
  expect(readdirSync(server.root)).toEqual(['a.txt'])
})

test.describe('in Hungarian', () => {
  test.use({ locale: 'hu-HU' })

  test('the words for a link that leads outside are whole beside a long name', async ({
    files,
    server,
    page,
  }) => {
    const name = `${'a long name of a link '.repeat(8)}.txt`
    symlinkSync('/nonexistent', join(server.root, name))
    await files.open('/')
    const words = page.getByRole('gridcell', { name: 'Kifelé mutató hivatkozás', exact: true })
    await expect(words).toBeVisible()
    const [text, label] = await Promise.all([
      words.evaluate((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        const { x, width } = range.getBoundingClientRect()
        const isCut = getComputedStyle(cell).overflow !== 'visible' && width > cell.clientWidth
        return { x, isCut }
      }),
      page.getByTitle(name, { exact: true }).boundingBox(),
    ])
    expect(text.isCut).toBe(false)
    expect(text.x).toBeGreaterThan((label?.x ?? 0) + (label?.width ?? Number.POSITIVE_INFINITY))
  })
})

test('two names that look the same have a hint, until one is renamed', async ({
  files,
  server,
  page,
}) => {
  const hint = page.getByText('Two names here look the same: “Müller é.txt”.')
  writeFileSync(join(server.root, 'Müller é.txt'.normalize('NFC')), '')
  await files.openRoot()
  await files.shows('Müller é.txt')
  await expect(hint).toBeHidden()
  writeFileSync(join(server.root, 'Müller é.txt'.normalize('NFD')), '')
  await expect(hint).toBeVisible()
  renameSync(join(server.root, 'Müller é.txt'.normalize('NFD')), join(server.root, 'b.txt'))
  await expect(hint).toBeHidden()
})

test('selection mode reports that nothing is selected yet', async ({ files, server, page }) => {
  writeFileSync(join(server.root, 'a.txt'), '')
  await files.openRoot()
  await files.shows('a.txt')
  await expect(files.status).not.toContainText('selected')
  await files.action('Select multiple').click()
  await expect(files.status).toContainText('0 selected')
  await page.keyboard.press('Escape')
  await expect(files.status).not.toContainText('selected')
})

test('missing, forbidden and unreachable pages have different messages @spec-2.14 @spec-8.7', async ({
  files,
  server,
  page,
  context,
}) => {
  mkdirSync(join(server.root, 'folder'))
  writeFileSync(join(server.root, 'folder/inside.txt'), '')
  await files.open('/no/such/place')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.goto('./403')
  await expect(page.getByRole('heading', { name: 'You do not have access to this' })).toBeVisible()
  await page.goto('./500')
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
  await files.open('/')
  await files.shows('folder')
  const branch = new Sidebar(page).branch('folder')
  await expect(branch).toBeVisible()
  await context.setOffline(true)
  // The tree stays even if the lost connection is noticed before the folder is opened.
  await branch.click()
  await expect(page.getByText('No connection to the server')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('No connection to the server')).toBeHidden({ timeout: 15_000 })
  await files.shows('inside.txt')
})

test('an empty folder shows the available actions @spec-2.19', async ({ files, page }) => {
  await files.openRoot()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await expect(files.status).toBeVisible()
  const main = page.getByRole('main')
  for (const name of ['Upload', 'New folder']) {
    await expect(main.locator('.EmptyFolder').getByRole('button', { name })).toBeVisible()
  }
})
