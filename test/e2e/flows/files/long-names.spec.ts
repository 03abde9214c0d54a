/** Long names are cut in their middle, tiles have two lines, and columns have equal decimals. */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright/test'
import { filmHeader } from '../../../support/files/films.ts'
import { expect, test } from '../../fixtures.ts'
import { SearchBox } from '../../pages/SearchBox.ts'

const CONTRACTS = [
  'Contract 2020 with the harbour authority - customer.pdf',
  'Contract 2020 with the harbour authority - supplier.pdf',
] as const

for (const [width, view] of [
  [390, 'List'],
  [390, 'Grid'],
  [1440, 'Grid'],
] as const) {
  test.describe(`at ${width} px as a ${view}`, () => {
    test.use({ viewport: { width, height: 844 } })

    test('the end of a long name stays visible', async ({ files, server }) => {
      for (const name of [...CONTRACTS, 'a.txt']) writeFileSync(join(server.root, name), name)
      await files.openRoot()
      await files.showAs(view)
      for (const name of CONTRACTS) {
        const label = files.grid.getByTitle(name, { exact: true })
        await expect(label).toBeVisible()
        await expect.poll(() => partsOf(label)).toEqual({ isStartCut: true, isEndVisible: true })
        // It is one text for those who listen, search or copy.
        await expect(files.grid.getByRole('link', { name, exact: true })).toHaveText(name)
      }
    })
  })
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the extension of a long name stays visible in the path of an opened file', async ({
    opened,
    page,
    server,
  }) => {
    const name = `${'n'.repeat(120)} ${'n'.repeat(60)}.txt`
    writeFileSync(join(server.root, name), 'text')
    await opened.open(`/${name}`)
    const label = page.getByRole('navigation', { name: 'Path' }).locator('.Name')
    await expect.poll(() => partsOf(label)).toEqual({ isStartCut: true, isEndVisible: true })
  })

  test('the end of a long name stays visible in the results of a search, which mark what was found', async ({
    files,
    page,
    server,
  }) => {
    for (const name of CONTRACTS) writeFileSync(join(server.root, name), name)
    const search = new SearchBox(page)
    await files.openRoot()
    await search.open()
    await search.find('contract customer')
    const [name] = CONTRACTS
    const result = search.card.getByRole('option', { name })
    const label = result.locator('.Name')
    await expect.poll(() => partsOf(label)).toEqual({ isStartCut: true, isEndVisible: true })
    await expect(label).toHaveText(name)
    const marked = label.locator('mark')
    await expect(marked).toHaveCount(2)
    await expect(marked.nth(1)).toHaveAttribute('data-text', 'customer')
    await expect(marked.nth(1)).toBeInViewport({ ratio: 1 })
  })
})

test('the name of a tile has two lines, and all tiles of a row have pictures of one height', async ({
  files,
  server,
}) => {
  for (const name of [...CONTRACTS, 'a.txt']) writeFileSync(join(server.root, name), name)
  mkdirSync(join(server.root, 'A folder with a rather long name as well'))
  await files.openRoot()
  await files.showAs('Grid')
  const heightOf = async (name: string) =>
    (await files.grid.getByTitle(name, { exact: true }).boundingBox())?.height ?? 0
  await expect.poll(() => heightOf(CONTRACTS[0])).toBeGreaterThanOrEqual(36)
  expect(await heightOf('A folder with a rather long name as well')).toBeGreaterThanOrEqual(36)
  expect(await heightOf('a.txt')).toBeLessThan(24)
  const boxes = await files.grid
    .locator('.FileTile__box')
    .evaluateAll((all) => all.map((box) => box.getBoundingClientRect().height))
  expect(boxes).toHaveLength(3)
  expect(new Set(boxes).size).toBe(1)
})

test('the sizes of a column have one decimal each', async ({ files, server }) => {
  const sizes = { a: 15 * 1024, b: 1.89 * 2 ** 20, c: 73.25 * 1024, d: 512 }
  for (const [name, bytes] of Object.entries(sizes)) {
    writeFileSync(join(server.root, name), '')
    truncateSync(join(server.root, name), Math.round(bytes))
  }
  await files.openRoot()
  await files.shows('a', 'b', 'c', 'd')
  for (const [name, text] of Object.entries({
    a: '15.0 KiB',
    b: '1.9 MiB',
    c: '73.3 KiB',
    d: '512 B',
  })) {
    await expect(files.row(name)).toContainText(text)
  }
})

test('a film in the mosaic has a badge with its length', async ({ files, server }) => {
  writeFileSync(join(server.root, 'film.mp4'), filmHeader(65))
  writeFileSync(join(server.root, 'note.txt'), 'x')
  await files.openRoot()
  await files.showAs('Grid')
  await expect(files.tile('film.mp4')).toContainText('1:05')
  await expect(files.tile('note.txt')).not.toContainText(/\d:\d\d/)
})

/** Whether the beginning of a name is cut, and its end is not. */
function partsOf(label: Locator) {
  return label.evaluate((name) => {
    const [start, end] = [...name.querySelectorAll('.Name__start, .Name__end')]
    const box = name.getBoundingClientRect()
    const isCut = (part?: Element) => !part || part.scrollWidth > part.clientWidth
    const { right = 0, bottom = 0 } = end?.getBoundingClientRect() ?? {}
    return {
      isStartCut: isCut(start),
      isEndVisible: !isCut(end) && right <= box.right + 1 && bottom <= box.bottom + 1,
    }
  })
}
