/** The selection bar replaces the breadcrumbs, and nothing else moves. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright/test'
import { expect, test } from '../../fixtures.ts'
import { Finger } from '../../pages/Finger.ts'

const DEEP = ['Projects 2026', 'Lofoten winter film', '03 Stills – selects', 'Second evening']

test('the selection replaces the breadcrumbs; rows and other buttons do not move @spec-2.21', async ({
  files,
  server,
  page,
}) => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) {
    writeFileSync(join(server.root, name), 'x'.repeat(12 * 1024))
  }
  await files.openRoot()
  await files.shows('a.txt', 'b.txt', 'c.txt')
  const still = [files.row('a.txt'), files.viewButton('List'), files.uploadButton]
  const before = await boxesOf([...still, files.breadcrumbs, files.search])
  await files.select('a.txt', 'b.txt', 'c.txt')
  await expect(files.selection).toContainText('3 selected')
  await expect(files.status).toContainText('36 KiB')
  await expect(files.breadcrumbs).toBeHidden()
  expect(await boxesOf(still)).toEqual(before.slice(0, still.length))
  // The search is an icon now, beside the other buttons.
  const [field, icon] = [before.at(-1), await files.search.boundingBox()]
  expect(icon).toMatchObject({ y: field?.y, width: field?.height })
  const labels = await files.selection.getByRole('button').allInnerTexts()
  expect(labels).toEqual(['Download', '', 'Share', 'Move', 'Copy', 'Rename', 'Delete', '', ''])

  await files.row('b.txt').click()
  await expect(files.selection).toContainText('1 selected')
  await files.selection.getByRole('button', { name: 'More' }).click()
  await expect(files.menuItem('Cut')).toBeVisible()
  await page.keyboard.press('Escape')
  await files.selection.getByRole('button', { name: 'Clear selection' }).click()
  await expect(files.selection).toBeHidden()
  expect(await boxesOf([...still, files.breadcrumbs, files.search])).toEqual(before)
})

test('a large number of selected entries is written with a thousands separator', async ({
  files,
  server,
  page,
}) => {
  for (let index = 0; index < 1001; index += 1) writeFileSync(join(server.root, `${index}`), '')
  await files.openRoot()
  await expect(files.row('0')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(files.selection).toContainText('1,001 selected')
  await expect(files.status).toContainText('1,001 selected')
})

test('the selection bar is operated by keyboard alone @spec-2.21', async ({
  files,
  server,
  page,
}) => {
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(server.root, name), 'x')
  await files.openRoot()
  await files.shows('a.txt', 'b.txt')
  await files.grid.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ControlOrMeta+a')
  await expect(files.selection).toContainText('2 selected')
  await files.selection.getByRole('button', { name: 'Rename' }).focus()
  await page.keyboard.press('Enter')
  await expect(files.prompt.card).toContainText('Rename 2 items')
  await page.keyboard.press('Escape')
  await expect(files.selection.getByRole('button', { name: 'Rename' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(files.breadcrumbs).toBeVisible()
})

test('the breadcrumbs return while a selection is dragged @spec-2.21', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'one/two'), { recursive: true })
  for (const name of ['a', 'b']) writeFileSync(join(server.root, 'one/two', name), name)
  await files.open('/one/two')
  await files.select('a', 'b')
  await expect(files.breadcrumbs).toBeHidden()
  await files.drag(files.handle('a'), files.breadcrumbs.getByRole('link', { name: 'one' }))
  await expect(page.getByText('This folder is empty')).toBeVisible()
  expect(existsSync(join(server.root, 'one/a'))).toBe(true)
  expect(existsSync(join(server.root, 'one/b'))).toBe(true)
})

test('no button of the selection bar is cut off, in any width of the window', async ({
  files,
  server,
  page,
}) => {
  for (const name of ['a.txt', 'b.txt']) {
    writeFileSync(join(server.root, name), 'x'.repeat(99 * 1024))
  }
  await files.openRoot()
  await files.select('a.txt', 'b.txt')
  for (let width = 740; width <= 1480; width += 20) {
    await page.setViewportSize({ width, height: 700 })
    await expect
      .poll(() => files.selection.evaluate((bar) => bar.scrollWidth - bar.clientWidth))
      .toBe(0)
  }
})

test('the selection bar keeps the folder, and drops its labels one by one from the right', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'Letters'))
  writeFileSync(join(server.root, 'Letters/a.txt'), 'x'.repeat(99 * 1024))
  await files.open('/Letters')
  await files.select('a.txt')
  const labels = async () => {
    const texts = await files.selection.getByRole('button').allInnerTexts()
    return texts.filter((text) => text.trim() !== '')
  }
  await expect(files.selection).toContainText('Letters')
  await expect.poll(labels).toEqual(['Download', 'Share', 'Move', 'Copy', 'Rename', 'Delete'])
  const counts = new Set<number>()
  for (let width = 1440; width >= 740; width -= 20) {
    await page.setViewportSize({ width, height: 700 })
    await expect
      .poll(() => files.selection.evaluate((bar) => bar.scrollWidth - bar.clientWidth))
      .toBe(0)
    const shown = await labels()
    expect(['Download', 'Share', 'Move', 'Copy', 'Rename', 'Delete']).toEqual(
      expect.arrayContaining(shown),
    )
    expect(shown).toEqual(
      ['Download', 'Share', 'Move', 'Copy', 'Rename', 'Delete'].slice(0, shown.length),
    )
    counts.add(shown.length)
    await expect(files.selection).toContainText('Letters')
  }
  expect(counts.size).toBeGreaterThan(3)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  for (const [locale, name] of [
    ['de-DE', 'Löschen'],
    ['uk-UA', 'Видалити'],
  ] as const) {
    test.describe(locale, () => {
      test.use({ locale })

      test(`the labels of the selection bar are apart in ${locale}`, async ({
        files,
        page,
        server,
      }) => {
        writeFileSync(join(server.root, 'a.txt'), 'x')
        await files.open('/')
        const finger = new Finger(page)
        await finger.down(page.getByText('a.txt'))
        const bar = page.getByRole('button', { name, exact: true }).locator('..')
        await expect(bar).toBeVisible()
        await finger.up()
        const texts = await bar.locator('span').evaluateAll((all) =>
          all.map((one) => {
            const { left, right } = one.getBoundingClientRect()
            return { left, right, isCut: one.scrollWidth > one.clientWidth }
          }),
        )
        expect(texts).toHaveLength(5)
        expect(texts.filter(({ isCut }) => isCut)).toEqual([])
        const gaps = texts.slice(1).map(({ left }, index) => left - (texts[index]?.right ?? 0))
        expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4)
      })
    })
  }
})

test.describe('in a window of 1199 px', () => {
  test.use({ viewport: { width: 1199, height: 700 } })

  test('the selection bar has icons, with tooltips that contain label and keys @spec-2.21', async ({
    files,
    server,
    page,
  }) => {
    writeFileSync(join(server.root, 'a.txt'), 'x')
    await files.openRoot()
    await files.select('a.txt')
    const rename = files.selection.getByRole('button', { name: 'Rename' })
    await expect(rename).toHaveText('')
    const tip = page.locator('.Tooltip')
    await rename.hover()
    await expect(tip).toHaveText('Rename…F2')
    await expect(tip).toBeVisible()
    await page.mouse.move(600, 600)
    await expect(tip).toBeHidden()

    await files.action('Download').focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    await expect(tip).toHaveText('DownloadCtrl S')
    await expect(tip).toBeVisible()
    const [button, tooltip] = await boxesOf([files.selection.getByRole('button').first(), tip])
    expect(tooltip?.y).toBeGreaterThanOrEqual((button?.y ?? 0) + (button?.height ?? 0))
    await page.keyboard.press('Escape')
    await expect(tip).toBeHidden()
  })
})

test('the search field becomes an icon before a breadcrumb is hidden @spec-2.13', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, ...DEEP), { recursive: true })
  writeFileSync(join(server.root, ...DEEP, 'a'), '')
  const width = async () => (await files.search.boundingBox())?.width ?? 0
  const hidden = files.breadcrumbs.getByRole('button', { name: 'Hidden folders' })
  await files.open(`/${DEEP.slice(0, 2).join('/')}`)
  await expect.poll(width).toBeGreaterThan(200)
  // In a narrower window, first the field becomes an icon, and then breadcrumbs are hidden.
  const steps: string[] = []
  for (let px = 1440; px >= 1040; px -= 20) {
    await page.setViewportSize({ width: px, height: 700 })
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    )
    steps.push(
      `${(await width()) > 200 ? 'field' : 'icon'} ${(await hidden.count()) ? 'folded' : 'whole'}`,
    )
  }
  expect(steps.filter((step, at) => step !== steps[at - 1])).toEqual([
    'field whole',
    'icon whole',
    'icon folded',
  ])
  await files.open(`/${DEEP.join('/')}`)
  await page.setViewportSize({ width: 1040, height: 700 })
  await expect(hidden).toBeVisible()
  await expect(files.breadcrumbs.getByRole('link').last()).toHaveText('Second evening')
})

function boxesOf(parts: Locator[]) {
  return Promise.all(parts.map((part) => part.boundingBox()))
}
