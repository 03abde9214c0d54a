import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright/test'
import { expect, test } from '../../fixtures.ts'

const FOLDERS = [
  'Archive',
  'Projects 2026',
  'Lofoten winter film',
  '03 Stills – selects',
  'Second evening',
]
const FILE = 'a very ordinary name.txt'

for (const width of [800, 900, 1024, 1100, 1440]) {
  test.describe(`in a window of ${width} px`, () => {
    test.use({ viewport: { width, height: 700 } })

    test('breadcrumbs are hidden as a whole, and the current folder stays whole @spec-2.13', async ({
      files,
      page,
      server,
    }) => {
      const folder = join(server.root, ...FOLDERS)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, FILE), 'x')
      const path = `/${FOLDERS.join('/')}`
      await files.open(path)
      await files.shows(FILE)
      await expect.poll(() => layoutProblemsOf(files.breadcrumbs)).toEqual([])
      await expect(files.breadcrumbs.getByRole('link').last()).toHaveText('Second evening')
      await files.breadcrumbs.getByRole('button', { name: 'Hidden folders' }).click()
      await files.menuItem('Archive').click()
      await files.shows('Projects 2026')
      await expect(files.breadcrumbs.getByRole('link', { name: 'My files' })).toBeVisible()
      await page.goBack()
      await files.row(FILE).dblclick()
      await expect(files.breadcrumbs.getByRole('link').last()).toHaveText(FILE)
      await expect.poll(() => layoutProblemsOf(files.breadcrumbs)).toEqual([])
    })
  })
}

/** Names that are cut off, and parts that overlap the next part or the end of the bar. */
async function layoutProblemsOf(path: Locator): Promise<string[]> {
  return path.evaluate((bar) => {
    const cut = [...bar.querySelectorAll('bdi')].filter(
      (name) => name.scrollWidth > name.clientWidth,
    )
    const boxes = [...bar.querySelectorAll('li')].map((part) => part.getBoundingClientRect())
    const ends = [...boxes.slice(1).map((box) => box.left), bar.getBoundingClientRect().right]
    const over = boxes.filter((box, at) => box.right > (ends[at] ?? 0) + 0.5)
    return [
      ...cut.map((name) => `cut: ${name.textContent}`),
      ...over.map((box) => `over: ${box.x}`),
    ]
  })
}
