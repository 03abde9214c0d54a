/** Quick Look: the selected entry, over the listing. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright/test'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { bookOf } from '../../../support/files/books.ts'
import { PDF } from '../../../support/files/documents.ts'
import { waveOf } from '../../../support/files/recordings.ts'
import { docxOf, sheetRow, wordText, xlsxOf } from '../../../support/files/zipped-documents.ts'
import type { TestServer } from '../../../support/server/server.ts'
import { expect, test } from '../../fixtures.ts'
import { FilesPage } from '../../pages/FilesPage.ts'
import { Finger } from '../../pages/Finger.ts'
import { LoginPage } from '../../pages/LoginPage.ts'

const look = (page: Page, name: string) =>
  page.getByRole('dialog', { name: `Quick look at ${name}`, exact: true })

async function writeFiles(server: TestServer): Promise<void> {
  const put = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(server.root, name), content)
  const dot = (background: string) =>
    sharp({ create: { width: 60, height: 40, channels: 3, background } })
  mkdirSync(join(server.root, 'folder'))
  writeFileSync(join(server.root, 'folder', 'inside'), 'x')
  put('a.png', await dot('teal').png().toBuffer())
  put('b.csv', 'name;sum\none;1\n')
  put('c.md', '# Heading\n\n**bold**')
  put('d.txt', 'plain words')
  put('da.docx', docxOf(wordText('Public letter')))
  put('db.xlsx', xlsxOf({ Fees: sheetRow(1, ['Night']) }))
  put('e.wav', waveOf(5))
  put('f.pdf', PDF)
  put('g.epub', bookOf())
  put('h.bin', Uint8Array.from([0, 1, 2]))
}

/** The entries in the order of the listing, each with the content that Quick Look shows. */
const SHOWN: readonly [string, (dialog: Locator) => Locator][] = [
  ['folder', (dialog) => dialog.getByText('1 file')],
  ['a.png', (dialog) => dialog.getByRole('img', { name: 'a.png' })],
  ['b.csv', (dialog) => dialog.getByRole('columnheader', { name: 'sum' })],
  ['c.md', (dialog) => dialog.getByRole('heading', { name: 'Heading' })],
  ['d.txt', (dialog) => dialog.getByText('plain words')],
  ['da.docx', (dialog) => dialog.frameLocator('iframe').getByText('Public letter')],
  ['db.xlsx', (dialog) => dialog.getByRole('cell', { name: 'Night' })],
  ['e.wav', (dialog) => dialog.getByLabel('e.wav', { exact: true })],
  ['f.pdf', (dialog) => dialog.getByText('Good morning')],
  ['g.epub', (dialog) => dialog.frameLocator('iframe').getByText('It begins.')],
  ['h.bin', (dialog) => dialog.getByRole('heading', { name: 'h.bin' }).last()],
]

test('Space opens Quick Look, the arrow keys step, and the selection follows @spec-2.33', async ({
  files,
  page,
  server,
}) => {
  await writeFiles(server)
  await files.openRoot()
  await files.shows(...SHOWN.map(([name]) => name))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  for (const [at, [name, contentOf]] of SHOWN.entries()) {
    if (at > 0) await page.keyboard.press(at % 2 ? 'ArrowRight' : 'ArrowDown')
    await expect(contentOf(look(page, name))).toBeVisible()
  }
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await expect(look(page, 'g.epub')).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await expect(look(page, 'f.pdf')).toBeVisible()
  await expect(page).toHaveURL(/\/files\/$/)
  await page.keyboard.press('Space')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(files.row('f.pdf')).toHaveAttribute('aria-selected', 'true')
  await expect(files.status).toContainText('1 selected')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await expect(look(page, 'e.wav')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(files.row('e.wav')).toHaveAttribute('aria-selected', 'true')
})

test('Quick Look of several selected entries steps through them, and they stay selected @spec-2.33', async ({
  files,
  page,
  server,
}) => {
  await writeFiles(server)
  await files.openRoot()
  await files.select('a.png', 'd.txt', 'h.bin')
  await page.keyboard.press('Space')
  await expect(look(page, 'a.png')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(look(page, 'd.txt')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(look(page, 'h.bin')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(files.status).toContainText('3 selected')
})

test('a space is part of a typed name; Ctrl and Space select @spec-2.33', async ({
  files,
  page,
  server,
}) => {
  for (const name of ['my plan.txt', 'my.txt']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  await files.shows('my plan.txt', 'my.txt')
  await page.keyboard.type('my plan')
  await page.keyboard.press('Control+Space')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(files.row('my plan.txt')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Control+Space')
  await expect(files.row('my plan.txt')).toHaveAttribute('aria-selected', 'false')
})

test('Enter opens the page, and back closes only Quick Look @spec-2.33', async ({
  files,
  page,
  server,
}) => {
  await writeFiles(server)
  await files.openRoot()
  await files.choose('d.txt', 'Quick look')
  await expect(look(page, 'd.txt')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page).toHaveURL(/\/files\/$/)
  await page.keyboard.press('Space')
  await expect(look(page, 'd.txt')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/files\/d\.txt$/)
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('a swipe steps to the next entry @spec-2.33', async ({ browser, server }) => {
  await writeFiles(server)
  const context = await browser.newContext({
    baseURL: `${server.url}/`,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const login = new LoginPage(page)
  await login.open()
  await login.logIn(server.username, server.password)
  const files = new FilesPage(page)
  await files.more('a.png').tap()
  await files.menuItem('Quick look').tap()
  await expect(look(page, 'a.png').getByRole('img', { name: 'a.png' })).toBeVisible()
  const finger = new Finger(page)
  const swipe = async (name: string) => {
    await finger.down(look(page, name))
    for (let step = 0; step < 3; step += 1) await finger.move(-50, 0)
    await finger.up()
  }
  await swipe('a.png')
  await expect(look(page, 'b.csv').getByRole('columnheader', { name: 'sum' })).toBeVisible()
  await look(page, 'b.csv').getByRole('button', { name: 'Next' }).click()
  await expect(look(page, 'c.md').getByText('bold')).toBeVisible()
  await swipe('c.md')
  await expect(look(page, 'd.txt').getByText('plain words')).toBeVisible()
  await look(page, 'd.txt').getByRole('button', { name: 'Close' }).tap()
  await expect(files.row('d.txt')).toHaveAttribute('aria-selected', 'true')
  await context.close()
})

test('code is coloured in Quick Look and for visitors, and runs nothing', async ({
  files,
  page,
  server,
  admin,
}) => {
  const code = 'const port = "<b>Reine</b>" // 42\n'
  writeFileSync(join(server.root, 'a.ts'), code)
  writeFileSync(join(server.root, 'b.json'), '{"port": 42}')
  await files.openRoot()
  await files.row('a.ts').click()
  await page.keyboard.press('Space')
  const text = page.getByRole('region', { name: 'a.ts' })
  const colourOf = (part: string, name = 'a.ts') =>
    page
      .getByRole('region', { name })
      .getByText(part, { exact: true })
      .evaluate((token) => getComputedStyle(token).color)
  await expect(text.getByText('const', { exact: true })).toBeVisible()
  const colours = new Set([
    await colourOf('const'),
    await colourOf('"<b>Reine</b>"'),
    await colourOf('// 42'),
  ])
  expect(colours.size).toBe(3)
  expect(await text.locator('pre').textContent()).toBe(code)
  await page.keyboard.press('ArrowDown')
  await expect(
    page.getByRole('region', { name: 'b.json' }).getByText('42', { exact: true }),
  ).toBeVisible()
  const { hash } = (await (await admin.call('POST', `${API.share}/a.ts`, {})).json()) as Share
  await page.goto(`./share/${hash}`)
  await expect(text.getByText('const', { exact: true })).toBeVisible()
})
