import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { FOLDER_SIZES_HEADER } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import { coloursPdf } from '../../../support/files/documents.ts'
import { exifBlock, withExif } from '../../../support/files/exif.ts'
import { withTags } from '../../../support/files/tagged-sounds.ts'
import type { TestServer } from '../../../support/server/server.ts'
import { expect, test } from '../../fixtures.ts'
import type { FilesPage } from '../../pages/FilesPage.ts'

/** Writes `count` pictures of different shapes and colours: `p000.jpg`, `p001.jpg`, … */
async function writePictures(folder: string, count: number): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (let at = 0; at < count; at += 1) {
    const [width, height] = at % 3 === 0 ? [80, 160] : [240, 160]
    const background = { r: (at * 37) % 256, g: (at * 91) % 256, b: 120 }
    const bytes = await sharp({ create: { width, height, channels: 3, background } })
      .jpeg()
      .toBuffer()
    writeFileSync(join(folder, `p${String(at).padStart(3, '0')}.jpg`), bytes)
  }
}

async function writeMixedFiles({ root }: TestServer): Promise<void> {
  await writePictures(root, 3)
  for (const name of ['beta', 'alpha']) mkdirSync(join(root, name))
  for (const name of ['one.txt', 'two.txt']) writeFileSync(join(root, name), 'x')
}

/** Counts requests for previews: all, those that run now, and the largest number that ran at once. */
function countPreviews(page: Page) {
  const count = { all: 0, now: 0, most: 0 }
  const isPreview = (url: string) => url.includes('/api/preview/')
  page.on('request', (request) => {
    if (!isPreview(request.url())) return
    count.all += 1
    count.now += 1
    count.most = Math.max(count.most, count.now)
  })
  const ended = (request: { url(): string }) => {
    if (isPreview(request.url())) count.now -= 1
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return count
}

test('no picture is requested of a name that is only an extension', async ({
  files,
  server,
  page,
}) => {
  const hidden = ['.png', '.mp4', '.pdf', '.docx', '.svg']
  for (const name of hidden) writeFileSync(join(server.root, name), 'no picture')
  await writePictures(server.root, 1)
  const requested: string[] = []
  page.on('response', (response) => {
    if (response.url().includes('/api/preview/')) requested.push(new URL(response.url()).pathname)
  })
  const picture = page.getByRole('grid').locator('img[src*="p000.jpg"]')
  await files.openRoot()
  for (const view of ['List', 'Grid', 'Photos'] as const) {
    await files.showAs(view)
    await expect(page.getByText('.png', { exact: true }).first()).toBeAttached()
    await expect(picture.first()).toBeVisible()
  }
  expect(requested.filter((path) => hidden.some((name) => path.endsWith(`/${name}`)))).toEqual([])
})

test('the view is changed by mouse and by keyboard, and is stored @spec-2.18', async ({
  files,
  server,
  page,
}) => {
  await writeMixedFiles(server)
  await files.openRoot()
  await files.showAs('Grid')
  await expect(files.view).toHaveAccessibleName('Grid')
  await expect(files.tile('alpha')).toBeVisible()
  expect(await files.tileNames()).toEqual([
    'alpha',
    'beta',
    'one.txt',
    'p000.jpg',
    'p001.jpg',
    'p002.jpg',
    'two.txt',
  ])

  // The request may wait behind those of pictures.
  const saved = page.waitForResponse((response) =>
    (response.request().postData() ?? '').includes('mosaic gallery'),
  )
  await page.keyboard.press('Alt+v')
  await expect(files.view).toHaveAccessibleName('Photos')
  await expect
    .poll(() => files.tileNames())
    .toEqual(['p000.jpg', 'p001.jpg', 'p002.jpg', 'alpha', 'beta', 'one.txt', 'two.txt'])

  await saved
  await page.reload()
  await expect(files.view).toHaveAccessibleName('Photos')
  await expect(
    files.tile('p000.jpg').getByRole('img', { includeHidden: true }).first(),
  ).toBeAttached()
  await page.keyboard.press('Alt+v')
  await files.shows('alpha', 'beta', 'one.txt', 'p000.jpg', 'p001.jpg', 'p002.jpg', 'two.txt')
})

test('columns are chosen, and one folder has its own view, order and density @spec-2.26', async ({
  files,
  server,
  page,
  admin,
}) => {
  mkdirSync(join(server.root, 'photos'))
  writeFileSync(join(server.root, 'photos/big.csv'), 'x'.repeat(2000))
  writeFileSync(join(server.root, 'photos/small.txt'), 'x')
  mkdirSync(join(server.root, 'photos/raw'))
  writeFileSync(join(server.root, 'photos/raw/one'), 'x'.repeat(3000))
  expect((await admin.call('POST', `${API.share}/photos/small.txt`, {})).status).toBe(200)
  // The index that knows the sizes may still be built; the page asks only once.
  const sized = () =>
    admin.call('GET', `${API.resources}/photos/`, undefined, { [FOLDER_SIZES_HEADER]: 'true' })
  await expect.poll(async () => (await sized()).text()).toContain('"totalSize":3000')
  await files.open('/photos')
  const options = page.getByRole('button', { name: 'View options' })
  const choose = async (name: string) => {
    await options.press('Enter')
    await page.getByRole('menuitemcheckbox', { name, exact: true }).press('Enter')
  }
  const row = files.row('small.txt')
  await choose('Type')
  await expect(row).toContainText('Text')
  await expect(files.row('big.csv')).toContainText('Spreadsheet')
  await choose('Shared')
  await expect(row).toContainText('1 link')
  await expect(files.row('big.csv')).not.toContainText('link')
  await expect(files.row('raw')).toContainText('2.9 KiB')
  await choose('Folder sizes')
  await expect(files.row('raw')).not.toContainText('KiB')
  const height = async () => (await row.boundingBox())?.height
  const comfortableHeight = await height()

  await choose('Remember for this folder')
  await choose('Compact rows')
  await expect.poll(height).toBeLessThan(comfortableHeight ?? 0)
  await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click()
  await files.shows('raw', 'big.csv', 'small.txt')
  await files.showAs('Grid')
  await expect(files.view).toHaveAccessibleName('Grid')
  await files.open('/')
  await expect(files.view).toHaveAccessibleName('List')
  await expect(page.getByRole('columnheader', { name: /^Name/ })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await files.open('/photos')
  await expect(files.view).toHaveAccessibleName('Grid')
  await choose('Remember for this folder')
  await expect(files.view).toHaveAccessibleName('List')
  await expect(row).toContainText('1 link')
  await expect.poll(height).toBe(comfortableHeight)
})

test('another device shows the same view', async ({ files, server, page, browser }) => {
  await writeMixedFiles(server)
  await files.openRoot()
  const saved = page.waitForResponse((response) =>
    (response.request().postData() ?? '').includes('mosaic'),
  )
  await files.showAs('Grid')
  await expect(files.tile('alpha')).toBeVisible()
  await saved
  const other = await browser.newPage()
  await other.goto(`${server.url}/login`)
  await other.getByLabel('Username').fill(server.username)
  await other.getByLabel('Password', { exact: true }).fill(server.password)
  await other.keyboard.press('Enter')
  const pressed = other.getByRole('group', { name: 'View' }).getByRole('button', { pressed: true })
  await expect(pressed).toHaveAccessibleName('Grid')
  await other.close()
})

test('tiles are navigated, selected and opened by keyboard', async ({ files, server, page }) => {
  await writeMixedFiles(server)
  await files.openRoot()
  await files.showAs('Grid')
  await files.tile('alpha').click()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Control+Space')
  await expect(files.tile('beta')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+ArrowRight')
  await expect(files.status).toContainText('2 selected')
  await expect(files.tile('p000.jpg')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('t')
  await page.keyboard.press('Control+Space')
  await expect(files.status).toContainText('3 selected')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/files\/alpha\/$/)
})

test('a rubber band selects the tiles it touches', async ({ files, server, page }) => {
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(server.root, name), 'x')
  await files.openRoot()
  await files.showAs('Grid')
  // From the empty space below, over the second tile, to the first.
  await files.grid.hover({ position: { x: 400, y: 500 } })
  await page.mouse.down()
  for (const name of ['b', 'a']) await files.tile(name).hover({ force: true })
  await expect(files.status).toContainText('2 selected')
  await page.mouse.up()
  await expect(files.tile('a')).toHaveAttribute('aria-selected', 'true')
  await expect(files.tile('c')).toHaveAttribute('aria-selected', 'false')
})

test('the first click after a rubber band that ends outside the listing selects an entry', async ({
  files,
  server,
  page,
}) => {
  for (const name of ['a', 'b']) writeFileSync(join(server.root, name), 'x')
  await files.openRoot()
  await files.shows('a', 'b')
  await files.grid.hover({ position: { x: 200, y: 500 } })
  await page.mouse.down()
  for (const name of ['b', 'a']) await files.row(name).hover({ force: true })
  await expect(files.status).toContainText('2 selected')
  await page.getByRole('complementary', { name: 'Navigation' }).hover({ force: true })
  await page.mouse.up()
  await files.row('a').click()
  await expect(files.row('a')).toHaveAttribute('aria-selected', 'true')
  await expect(files.row('b')).toHaveAttribute('aria-selected', 'false')
})

test('a button that is held while the folder loads is pressed on release', async ({
  files,
  server,
  page,
}) => {
  writeFileSync(join(server.root, 'a'), '')
  let arrive = () => {}
  const held = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route('**/api/resources/**', async (route) => {
    await held
    await route.continue()
  })
  await files.open('/')
  await files.viewButton('Grid').hover()
  await page.mouse.down()
  arrive()
  await files.shows('a')
  await page.mouse.up()
  await expect(files.view).toHaveAccessibleName('Grid')
})

test('the order of tiles is chosen from a menu @spec-2.18', async ({ files, server }) => {
  for (const [name, size] of Object.entries({ a: 1, b: 3, c: 2 })) {
    writeFileSync(join(server.root, name), 'x'.repeat(size))
  }
  await files.openRoot()
  await files.showAs('Grid')
  await files.sortedBy('Name').click()
  await files.menuItem('Size').click()
  await expect.poll(() => files.tileNames()).toEqual(['b', 'c', 'a'])
})

test('a PDF shows its first page in the listing, and a broken one its icon', async ({
  files,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'broken.pdf'), 'no PDF')
  writeFileSync(join(server.root, 'pages.pdf'), coloursPdf(['red', 'blue']))
  const refused = page.waitForResponse((response) => response.url().includes('small/broken.pdf'))
  await files.openRoot()
  await files.shows('broken.pdf', 'pages.pdf')
  expect((await refused).status()).toBe(422)
  await expect(files.thumbnails).toHaveCount(1)
  const picture = files.row('pages.pdf').getByAltText('', { exact: true })
  await expect(picture).toBeVisible()
  // The whole page, in the box of the row.
  const sizes = await picture.evaluate((img: HTMLImageElement) => ({
    page: img.naturalWidth / img.naturalHeight,
    shown: img.clientWidth / img.clientHeight,
    height: img.clientHeight,
  }))
  expect(sizes.page).not.toBe(1)
  expect(sizes.shown).toBeCloseTo(sizes.page, 1)
  expect(sizes.height).toBeLessThanOrEqual(28)
  await files.showAs('Grid')
  await expect(files.thumbnails).toHaveCount(1)
})

test('a tile and the details of a text show a picture of it, a row shows its icon', async ({
  files,
  server,
}) => {
  writeFileSync(join(server.root, 'notes.txt'), 'Buy milk\nCall the plumber\n')
  await files.openRoot()
  await files.shows('notes.txt')
  await expect(files.row('notes.txt').locator('svg').first()).toBeVisible()
  await expect(files.thumbnails).toHaveCount(0)
  await files.showAs('Grid')
  await expect(files.thumbnails).toHaveCount(1)
  await files.tile('notes.txt').click()
  await files.action('Details').click()
  await expect(files.details.locator('img')).toBeVisible()
})

for (const view of ['List', 'Grid', 'Photos'] as const) {
  test(`pictures in the ${view} come six at a time, and only near the window`, async ({
    files,
    server,
    page,
  }) => {
    const count = 400
    await writePictures(join(server.root, 'pictures'), count)
    await files.openRoot()
    await files.showAs(view)
    const previews = countPreviews(page)
    await files.open('/pictures')
    await expect(files.thumbnails.first()).toBeVisible()
    await expect.poll(() => previews.all).toBeGreaterThan(6)
    await expect.poll(() => previews.now).toBe(0)
    expect(previews.most).toBeLessThanOrEqual(6)
    expect(previews.all).toBeLessThan(count / 2)
    await page.keyboard.press('End')
    await expect(files.handle('p399.jpg')).toBeVisible()
    await expect.poll(() => previews.now).toBe(0)
    expect(previews.most).toBeLessThanOrEqual(6)
    expect(previews.all).toBeLessThan(count)
  })
}

test('a visible picture of the gallery never moves', async ({ files, server, page }) => {
  await writePictures(join(server.root, 'pictures'), 60)
  // The pictures come one after the other, in the wrong order.
  let held: (() => void)[] = []
  await page.route('**/api/preview/**', async (route) => {
    await new Promise<void>((resolve) => {
      held.push(resolve)
      if (held.length >= 3) {
        for (const go of held.reverse()) go()
        held = []
      }
    })
    await route.continue()
  })
  await files.openRoot()
  await files.showAs('Photos')
  await page.evaluate(() => {
    const positions = new Map<string, string>()
    const moved: string[] = []
    Object.assign(window, { moved })
    const look = () => {
      for (const picture of document.querySelectorAll('[role="gridcell"] img')) {
        const tile = picture.closest<HTMLElement>('[role="gridcell"]')
        const name = tile?.innerText.split('\n')[0] ?? ''
        const position = tile?.getAttribute('style') ?? ''
        const before = positions.get(name)
        if (before !== undefined && before !== position)
          moved.push(`${name}: ${before} → ${position}`)
        positions.set(name, position)
      }
    }
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
    })
  })
  await files.row('pictures').or(files.tile('pictures')).dblclick()
  await expect(files.tile('p000.jpg').locator('img')).toBeVisible()
  await expect(files.tile('p011.jpg').locator('img')).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(window, 'moved'))).toEqual([])
})

test('a file without a picture keeps its icon', async ({ files, server }) => {
  writeFileSync(join(server.root, 'broken.jpg'), 'not a picture')
  await writePictures(server.root, 1)
  await files.openRoot()
  for (const view of ['Grid', 'Photos'] as const) {
    await files.showAs(view)
    await expect(files.tile('p000.jpg').locator('img')).toBeVisible()
    await expect(files.tile('broken.jpg').locator('img')).toHaveCount(0)
    await expect(files.tile('broken.jpg').locator('svg').first()).toBeVisible()
  }
})

test('the filter shows matching entries only; Escape shows all again', async ({
  files,
  server,
  page,
}) => {
  for (const name of ['Café menu.pdf', 'budget.xlsx', 'menu.txt']) {
    writeFileSync(join(server.root, name), 'x')
  }
  await files.openRoot()
  await files.select('budget.xlsx')
  await page.keyboard.press('ControlOrMeta+f')
  await expect(files.filter).toBeFocused()
  await page.keyboard.type('MENU')
  await files.shows('Café menu.pdf', 'menu.txt')
  await expect(page.getByRole('search')).toContainText('2 of 3')
  await expect(files.status).not.toContainText('selected')
  await page.keyboard.type(' cafe')
  await files.shows('Café menu.pdf')

  // The focus moves to the results, and typing there jumps to a name.
  await page.keyboard.press('ArrowDown')
  await expect(files.grid).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(files.status).toContainText('1 selected')

  await page.keyboard.press('ControlOrMeta+f')
  await files.filter.fill('nothing is called this')
  await expect(page.getByText('Nothing here matches')).toBeVisible()
  await files.filter.press('Escape')
  await expect(files.filter).toBeHidden()
  await files.shows('budget.xlsx', 'Café menu.pdf', 'menu.txt')
  await page.keyboard.press('m')
  await page.keyboard.press('Control+Space')
  await expect(files.row('menu.txt')).toHaveAttribute('aria-selected', 'true')
})

test('the filter is cleared when another folder opens', async ({ files, server, page }) => {
  mkdirSync(join(server.root, 'folder'))
  writeFileSync(join(server.root, 'folder', 'inside'), 'x')
  writeFileSync(join(server.root, 'other'), 'x')
  await files.openRoot()
  await files.filterButton.click()
  await page.keyboard.type('fol')
  await files.shows('folder')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await files.shows('inside')
  await expect(files.filter).toBeHidden()
})

test('the width of the name column is dragged, stored, and reset by a double click', async ({
  files,
  server,
  page,
}) => {
  writeFileSync(join(server.root, 'a'), 'x')
  await files.openRoot()
  const width = async () =>
    (await files.grid.getByRole('columnheader').first().boundingBox())?.width
  const before = (await width()) ?? 0
  await files.nameResizer.dragTo(files.grid.getByRole('columnheader').first())
  const dragged = (await width()) ?? 0
  expect(dragged).toBeLessThan(before - 150)
  await files.nameResizer.press('ArrowRight')
  await expect.poll(width).toBeCloseTo(dragged + 16, 0)
  await page.reload()
  await expect.poll(width).toBeCloseTo(dragged + 16, 0)
  await files.nameResizer.dblclick()
  await expect.poll(width).toBeCloseTo(before, 0)
})

test('several entries are downloaded as ZIP, or in a chosen format, which is remembered @spec-4.5', async ({
  files,
  server,
  page,
}) => {
  for (const name of ['a', 'b']) writeFileSync(join(server.root, name), 'x')
  mkdirSync(join(server.root, 'folder'))
  await files.openRoot()
  await files.select('a', 'b')
  await expect(files.selection).toContainText('2 selected')
  const coming = page.waitForEvent('download')
  await files.action('Download').click()
  expect(new URL((await coming).url()).searchParams.get('algo')).toBe('zip')
  await files.action('Download as').click()
  await expect(files.prompt.card).toContainText('Download 2 items')
  await files.prompt.card.getByRole('radio', { name: '.tar.gz' }).check()
  expect(await archiveOf(page, files)).toMatchObject({ files: 'a,b', algo: 'targz' })

  await files.select('folder')
  await files.choose('folder', 'Download as')
  await expect(files.prompt.card.getByRole('radio', { name: '.tar.gz' })).toBeChecked()
  await files.prompt.card.getByRole('radio', { name: '.zip' }).check()
  expect(await archiveOf(page, files)).toMatchObject({ files: 'folder', algo: 'zip' })
})

async function archiveOf(page: Page, files: FilesPage) {
  const coming = page.waitForEvent('download')
  await files.prompt.button('Download').click()
  return Object.fromEntries(new URL((await coming).url()).searchParams)
}

test('the details of a recording show its title, artist and length', async ({ files, server }) => {
  const tags = { title: 'Nachtlied', artist: 'The Harbour Choir' }
  writeFileSync(join(server.root, 'song.mp3'), withTags(tags))
  await files.openRoot()
  await files.action('Details').click()
  await files.select('song.mp3')
  for (const words of ['Title', 'Nachtlied', 'Artist', 'The Harbour Choir']) {
    await expect(files.details.getByText(words, { exact: true })).toBeVisible()
  }
})

test('the details show a picture’s size, a folder’s content, and checksums on request @spec-2.15', async ({
  files,
  server,
}) => {
  await writePictures(join(server.root, 'folder'), 2)
  await writePictures(server.root, 1)
  writeFileSync(join(server.root, 'note.txt'), 'hello')
  await files.openRoot()
  await files.action('Details').click()
  await files.select('p000.jpg')
  await expect(files.details).toContainText('80 × 160')
  await files.select('folder')
  await expect(files.details).toContainText('2 files')
  await files.select('note.txt')
  await files.details.getByRole('button', { name: 'Show checksums' }).click()
  for (const algorithm of ['sha256', 'md5', 'sha1', 'sha512']) {
    const name = algorithm.toUpperCase().replace('SHA', 'SHA-')
    const digest = createHash(algorithm).update('hello').digest('hex')
    const ask = files.details.getByRole('button', { name: `Calculate ${name}`, exact: true })
    // The most common checksum is computed at once.
    if (algorithm !== 'sha256') await ask.click()
    await expect(files.details).toContainText(digest)
  }
  await expect(files.details.getByRole('button', { name: 'Copy SHA-512' })).toBeVisible()
})

test('a failed checksum can be requested again', async ({ files, server, page }) => {
  writeFileSync(join(server.root, 'note.txt'), 'hello')
  await files.openRoot()
  await page.route('**/note.txt?checksum=*', (route) => route.fulfill({ status: 500 }), {
    times: 1,
  })
  await files.action('Details').click()
  await files.select('note.txt')
  await files.details.getByRole('button', { name: 'Show checksums' }).click()
  await files.details.getByRole('button', { name: 'Could not be calculated. Try again' }).click()
  await expect(files.details).toContainText(createHash('sha256').update('hello').digest('hex'))
})

test('the details of a photo show its camera and access, without loading the photo @spec-2.15', async ({
  files,
  server,
  page,
  admin,
}) => {
  const block = exifBlock({
    main: { 272: '<b>X-T5</b>' },
    own: { 36867: '2024:03:09 14:05:00', 33434: [[1, 250]], 33437: [[28, 10]], 34855: 400 },
    gps: { 1: 'N', 2: [[137, 2]], 3: 'W', 4: [[53, 4]] },
  })
  const plain = sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
  mkdirSync(join(server.root, 'trip'))
  writeFileSync(
    join(server.root, 'trip', 'photo.jpg'),
    withExif(await plain.jpeg().toBuffer(), block),
  )
  await admin.call('POST', `${API.share}/trip/`, '{"expires":"3","unit":"days"}')
  await admin.call('POST', `${API.share}/trip/photo.jpg`, '{"password":"sesame"}')
  await files.open('/trip')
  const originals: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(API.raw)) originals.push(request.url())
  })
  await files.action('Details').click()
  await files.select('photo.jpg')
  await expect(files.details.getByRole('heading', { level: 2 })).toHaveText('photo.jpg')
  await expect(files.details).toContainText('9 Mar 2024, 14:05')
  await expect(files.details).toContainText('60 × 40')
  await expect(files.details).toContainText('<b>X-T5</b>')
  await expect(files.details).toContainText('1/250 s · f/2.8 · ISO 400')
  await expect(files.details).toContainText('68.5° N, 13.25° W')
  const access = files.details.locator('section', { hasText: 'Who can open it' })
  await expect(access.getByText('Anyone with the link and its password')).toBeVisible()
  await expect(access.getByText('Link to trip · 3 days left')).toBeVisible()
  await expect(access.getByText('Administrator · can change it')).toBeVisible()
  const activity = files.details.locator('section', { hasText: 'Recent activity' })
  await expect(activity.getByRole('listitem')).toHaveCount(1)
  await activity.getByRole('link', { name: 'All activity' }).click()
  await expect(page).toHaveURL(/settings\/activity\?path=%2Ftrip%2Fphoto.jpg/)
  expect(originals).toEqual([])
})

test('the details do not show a refused change as done', async ({ files, server, admin }) => {
  for (const name of ['a.txt', 'taken.txt']) writeFileSync(join(server.root, name), name)
  const rename = `${API.resources}/a.txt?action=rename&destination=%2Ftaken.txt`
  expect((await admin.call('PATCH', rename)).status).toBe(409)
  await files.openRoot()
  await files.action('Details').click()
  await files.select('a.txt')
  const activity = files.details.locator('section', { hasText: 'Recent activity' })
  const row = activity.getByRole('listitem').filter({ hasText: 'Renamed or moved' })
  await expect(row).toContainText('Already exists')
})

test.describe('in narrow windows', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('narrow windows have the view and the filter, and a tap opens a picture', async ({
    files,
    server,
    page,
  }) => {
    await writeMixedFiles(server)
    await files.openRoot()
    await files.showAs('Photos')
    await expect(files.tile('p000.jpg').locator('img')).toBeVisible()
    await files.filterButton.tap()
    await files.filter.fill('p001')
    await expect(files.tile('p000.jpg')).toHaveCount(0)
    await page.getByRole('button', { name: 'Close filter' }).tap()
    await expect(files.tile('p000.jpg')).toBeVisible()
    await files.tile('p001.jpg').tap()
    await expect(page).toHaveURL(/p001\.jpg$/)
  })
})
