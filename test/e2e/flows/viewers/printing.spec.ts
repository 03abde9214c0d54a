/** Every document is printed whole, without the page around it. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { API } from '#wire/api/routes.ts'
import { TOKEN_HEADER, TOKEN_STORAGE_KEY } from '#wire/api/session.ts'
import type { Share } from '#wire/api/share.ts'
import { bookOf } from '../../../support/files/books.ts'
import { pdfOf } from '../../../support/files/pdf.ts'
import { docxOf, wordText } from '../../../support/files/zipped-documents.ts'
import { expect, test } from '../../fixtures.ts'

/** The text of the printed pages, and their number. */
async function printed(page: Page): Promise<{ text: string; pages: number }> {
  const pdf = await page.pdf({ format: 'A4' })
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], {
    input: pdf,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return { text, pages: text.split('\f').length - 1 }
}

const LINES = Array.from({ length: 220 }, (_, index) => `Line ${index + 1} of it`)

test('texts, Markdown and tables are printed at full length', async ({ opened, page, server }) => {
  writeFileSync(join(server.root, 'a.txt'), LINES.join('\n'))
  writeFileSync(join(server.root, 'b.md'), `# Title\n\n${LINES.join('\n\n')}`)
  writeFileSync(
    join(server.root, 'c.csv'),
    `name,number\n${LINES.map((line, at) => `${line},${at}`).join('\n')}`,
  )
  await opened.open('/a.txt')
  await expect(opened.text('a.txt')).toBeVisible()
  await expect(page.getByText('Line 3 of it')).toBeVisible()
  const text = await printed(page)
  for (const line of LINES) expect(text.text).toContain(line)
  expect(text.pages).toBeGreaterThan(2)
  expect(text.text).not.toContain('My files')

  await opened.open('/b.md')
  await expect(page.getByRole('heading', { name: 'Title' })).toBeVisible()
  const rendered = (await printed(page)).text
  for (const line of LINES) expect(rendered).toContain(line)
  expect(rendered).not.toContain('# Title')

  await opened.open('/c.csv')
  await expect(opened.table('c.csv')).toBeVisible()
  const table = (await printed(page)).text
  for (const line of LINES) expect(table).toContain(line)
  expect(table.split('name').length).toBeGreaterThan(3)
  // The page is the same afterwards.
  await expect(opened.table('c.csv')).toBeVisible()
})

test('a long name does not squeeze the other columns of a printed list', async ({
  files,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'n'.repeat(250)), Buffer.alloc(1_234_567))
  await files.openRoot()
  // The list is prepared after it is shown.
  await expect(async () => {
    const { text } = await printed(page)
    for (const whole of ['Size', 'Modified', '1.18 MiB']) expect(text).toContain(whole)
  }).toPass()
})

test('all pages of a PDF are printed by its button and by Ctrl+P', async ({
  opened,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'a.pdf'), pdfOf(['First', 'Second', 'Third']))
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-asked', '')
  })
  await opened.open('/a.pdf')
  const pdf = opened.pdf('a.pdf')
  await expect(pdf.getByText('First', { exact: true })).toBeVisible()
  // The menu of the browser prints before the pages are drawn.
  expect((await printed(page)).text).toContain('use the print button')
  const asked = page.locator('html[data-asked]')
  for (const ask of [
    () => pdf.getByRole('button', { name: 'Print' }).click(),
    () => page.keyboard.press('ControlOrMeta+p'),
  ]) {
    await page.evaluate(() => document.documentElement.removeAttribute('data-asked'))
    await ask()
    await expect(asked).toBeAttached()
    const sheet = await printed(page)
    expect([sheet.pages, sheet.text.trim()]).toEqual([3, ''])
  }
  expect((await printed(page)).text).toContain('use the print button')
})

test('a page of the settings is printed whole, without what is around it', async ({
  page,
  files,
  settings,
}) => {
  await files.openRoot()
  await page.evaluate(
    async ([key, header, address]) => {
      const headers = { [header]: localStorage.getItem(key) ?? '' }
      for (let index = 0; index < 60; index += 1) {
        const url = `.${address}/printed-${index}.txt`
        await fetch(url, { method: 'POST', body: 'x', headers })
      }
    },
    [TOKEN_STORAGE_KEY, TOKEN_HEADER, API.resources] as const,
  )
  await settings.open('activity')
  await expect(page.getByRole('main').getByText('printed-59.txt')).toBeVisible()
  const { text, pages } = await printed(page)
  expect(pages).toBeGreaterThan(1)
  for (const index of [0, 30, 59]) expect(text).toContain(`printed-${index}.txt`)
  expect(text).not.toContain('My files')
})

test('documents and chapters are printed whole', async ({ opened, page, server }) => {
  writeFileSync(join(server.root, 'a.docx'), docxOf(LINES.map((line) => wordText(line)).join('')))
  await opened.open('/a.docx')
  await expect(
    opened.frameContent('a.docx').getByText('Line 1 of it', { exact: true }),
  ).toBeVisible()
  const text = (await printed(page)).text
  for (const line of LINES) expect(text).toContain(line)
  expect(text).not.toContain('My files')

  // A page of the document has the width of the paper.
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  const margin = await page.locator('.PrintSheet section.docx').evaluate((section) => {
    const sheet = document.querySelector('.PrintSheet')
    return (sheet?.getBoundingClientRect().width ?? 0) - section.getBoundingClientRect().width
  })
  expect(margin).toBe(0)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ media: null })

  writeFileSync(
    join(server.root, 'b.epub'),
    bookOf({ first: LINES.map((line) => `<p>${line}</p>`).join('') }),
  )
  await opened.open('/b.epub')
  await expect(
    page.locator('iframe').contentFrame().getByText('Line 1 of it', { exact: true }),
  ).toBeVisible()
  const chapter = (await printed(page)).text
  for (const line of LINES) expect(chapter).toContain(line)
})

test('the list of a folder is printed whole with its README, also on a share', async ({
  files,
  page,
  server,
  admin,
}) => {
  mkdirSync(join(server.root, 'many'))
  for (let index = 1; index <= 150; index += 1)
    writeFileSync(join(server.root, 'many', `file ${index}.bin`), 'x')
  writeFileSync(join(server.root, 'many', 'README.md'), '# About\n\nWhat is here.')
  await files.open('/many')
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible()
  await expect.poll(async () => (await printed(page)).text).toContain('file 150.bin')
  const { text } = await printed(page)
  for (let index = 1; index <= 150; index += 1) expect(text).toContain(`file ${index}.bin`)
  expect(text).toContain('What is here.')
  const { hash } = (await (await admin.call('POST', `${API.share}/many/`, {})).json()) as Share
  await page.goto(`./share/${hash}`)
  await expect(page.getByText('file 1.bin')).toBeVisible()
  const shared = (await printed(page)).text
  for (let index = 1; index <= 150; index += 1) expect(shared).toContain(`file ${index}.bin`)
})

test('what would be thousands of pages is printed up to a limit, with a word about it', async ({
  opened,
  page,
  server,
}) => {
  const count = ON_DEMAND_LIMITS.printedLinesMax + 5
  writeFileSync(join(server.root, 'a.txt'), `${'x\n'.repeat(count - 1)}last`)
  await opened.open('/a.txt')
  await expect(opened.text('a.txt')).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  const sheet = page.locator('.PrintSheet')
  await expect(sheet).toContainText('Only the first 20,000 of 20,005 lines are printed.')
  await expect(sheet).not.toContainText('last')
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await expect(sheet).toHaveCount(0)
})
