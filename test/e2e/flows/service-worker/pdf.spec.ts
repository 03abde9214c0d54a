/** PDF files: pages, search, zoom, passwords, and what a hostile file cannot do. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright/test'
import { blackScan, pdfOf } from '../../../support/files/pdf.ts'
import { test as base, expect } from '../../fixtures.ts'

const test = base.extend<{ openPdf: (name: string, content: Uint8Array) => Promise<Locator> }>({
  openPdf: async ({ opened, server }, use) => {
    await use(async (name, content) => {
      writeFileSync(join(server.root, name), content)
      await opened.open(`/${name}`)
      return opened.pdf(name)
    })
  },
})

const pagesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `Sheet ${at + 1} of the log`)

test('a PDF shows its pages, and only pages near the visible one have canvases @spec-10.7', async ({
  openPdf,
}) => {
  const pdf = await openPdf('log.pdf', pdfOf(pagesOf(5000)))
  await expect(pdf.getByText('Sheet 1 of the log', { exact: true })).toBeVisible()
  const field = pdf.getByRole('textbox', { name: 'Page number' })
  await expect(field).toHaveValue('1')
  await expect(pdf.getByRole('toolbar')).toContainText('/ 5,000')
  for (const at of ['40', '800', '1200', '1600', '2400', '3200', '4900']) {
    await field.fill(at)
    await field.press('Enter')
    await expect(pdf.getByText(`Sheet ${at} of the log`, { exact: true })).toBeVisible()
  }
  await expect(field).toHaveValue('4900')
  expect(await pdf.locator('canvas').count()).toBeLessThan(25)
})

test('text of a PDF is found, marked and selected @spec-10.6', async ({ openPdf, page }) => {
  const pdf = await openPdf('log.pdf', pdfOf(pagesOf(12)))
  await expect(pdf.getByText('Sheet 1 of the log', { exact: true })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+f')
  const find = pdf.getByRole('search')
  await find.getByRole('textbox', { name: 'Find' }).fill('sheet 1')
  await expect(find.getByRole('status')).toHaveText('1 of 4')
  await page.keyboard.press('Enter')
  await expect(find.getByRole('status')).toHaveText('2 of 4')
  await expect(pdf.locator('.highlight.selected')).toHaveText('Sheet 1')
  await expect(pdf.getByRole('textbox', { name: 'Page number' })).toHaveValue('10')
  await page.keyboard.press('Shift+Enter')
  await expect(find.getByRole('status')).toHaveText('1 of 4')
  await find.getByRole('textbox', { name: 'Find' }).fill('nowhere')
  await expect(find.getByRole('status')).toHaveText('0 matches')
  await page.keyboard.press('Escape')
  await expect(find).toBeHidden()
  await pdf.getByText('Sheet 1 of the log', { exact: true }).selectText()
  expect(await page.evaluate(() => String(getSelection()))).toBe('Sheet 1 of the log')
})

test('a PDF fits the width, and is zoomed by buttons, keys and the wheel @spec-10.7', async ({
  openPdf,
  page,
}) => {
  const pdf = await openPdf('log.pdf', pdfOf(pagesOf(3)))
  const sheet = pdf.getByRole('region', { name: 'Page 1', exact: true })
  await expect(pdf.getByText('Sheet 1 of the log', { exact: true })).toBeVisible()
  const fitted = await widthOf(sheet)
  await expect(pdf.getByRole('button', { name: 'Fit to width' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await pdf.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(() => widthOf(sheet)).toBeGreaterThan(fitted * 1.2)
  await page.keyboard.press('-')
  await page.keyboard.press('-')
  await expect.poll(() => widthOf(sheet)).toBeLessThan(fitted)
  await page.keyboard.press('0')
  // Rounding may cost a pixel.
  await expect.poll(async () => Math.abs((await widthOf(sheet)) - fitted)).toBeLessThan(3)
  await sheet.hover()
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -100)
  await page.keyboard.up('Control')
  await expect.poll(() => widthOf(sheet)).toBeGreaterThan(fitted)
})

test('a scanned page in JBIG2 is decoded, in the worker', async ({ openPdf }) => {
  const pdf = await openPdf('scan.pdf', pdfOf(['Scan'], { image: blackScan() }))
  await expect(pdf.getByText('Scan')).toBeAttached()
  const inMiddle = () =>
    pdf.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas
      const pixel = canvas.getContext('2d')?.getImageData(width / 2, height / 2, 1, 1).data
      return [...(pixel ?? [])]
    })
  await expect.poll(inMiddle).toEqual([0, 0, 0, 255])
})

test('Chinese text without an embedded font is shown, with the character map of the server', async ({
  openPdf,
}) => {
  const font =
    '<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/FontDescriptor<</Type/FontDescriptor/FontName/STSong-Light/Flags 4>>>>]>>'
  const pdf = await openPdf('cjk.pdf', pdfOf(['<4E2D6587>'], { font }))
  await expect(pdf.getByText('中文')).toBeVisible()
})

test('a PDF that the server refuses is not called damaged', async ({ openPdf, page }) => {
  await page.route('**/api/raw/gone.pdf*', (route) => route.fulfill({ status: 404 }))
  await openPdf('gone.pdf', pdfOf(['Here']))
  await expect(page.getByText('It no longer exists')).toBeVisible()
})

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('two fingers zoom a PDF, and do not lead to another file', async ({
    openPdf,
    page,
    server,
  }) => {
    writeFileSync(join(server.root, 'other.pdf'), pdfOf(['Other']))
    const pdf = await openPdf('log.pdf', pdfOf(pagesOf(3)))
    await expect(pdf.getByText('Sheet 1 of the log', { exact: true })).toBeVisible()
    const sheet = pdf.getByRole('region', { name: 'Page 1', exact: true })
    const fitted = await widthOf(sheet)
    const touch = await page.context().newCDPSession(page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      })
    await send('touchStart', [180, 400])
    await send('touchStart', [180, 400], [210, 400])
    await send('touchMove', [150, 400], [240, 400])
    await send('touchMove', [60, 400], [330, 400])
    await send('touchEnd')
    await expect.poll(() => widthOf(sheet)).toBeGreaterThan(fitted * 2)
    await expect(page).toHaveURL(/log\.pdf$/)
  })
})

test('a PDF is searched in Quick Look, and Escape closes the search first', async ({
  files,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'log.pdf'), pdfOf(pagesOf(12)))
  await files.openRoot()
  await files.shows('log.pdf')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  const look = page.getByRole('dialog', { name: 'Quick look at log.pdf' })
  await expect(look.getByText('Sheet 1 of the log', { exact: true })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('sheet 7')
  await expect(look.getByRole('search').getByRole('status')).toHaveText('1 of 1')
  await page.keyboard.press('Escape')
  await expect(look.getByRole('search')).toBeHidden()
  await expect(look).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(look).toBeHidden()
})

test('an encrypted PDF asks for its password @spec-10.7', async ({ openPdf, page }) => {
  const pdf = await openPdf('secret.pdf', pdfOf(['Nobody reads this'], { password: 'fjord' }))
  const field = page.getByRole('textbox', { name: 'Password' })
  await field.fill('wrong')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page.getByText('Wrong password')).toBeVisible()
  await field.fill('fjord')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(pdf.getByText('Nobody reads this')).toBeVisible()
})

test('a damaged PDF gets the card that says so, with a download', async ({ openPdf, page }) => {
  await openPdf('broken.pdf', Buffer.from('%PDF-1.4\nno objects'))
  await expect(page.getByText('The file is damaged')).toBeVisible()
  await expect(
    page.getByRole('main').getByRole('button', { name: 'Download' }).last(),
  ).toBeVisible()
})

test('a PDF runs no script and requests nothing from other hosts @spec-10.7', async ({
  openPdf,
  page,
  server,
}) => {
  const foreign = foreignRequests(page, server.url)
  let dialogs = 0
  page.on('dialog', (dialog) => {
    dialogs += 1
    void dialog.dismiss()
  })
  const script = 'app.alert\\(1\\);app.launchURL\\("https://evil.example/x"\\)'
  const hostile = pdfOf(['Read me', 'Second'], { script, link: 'javascript:alert\\(1\\)' })
  const pdf = await openPdf('hostile.pdf', hostile)
  await expect(pdf.getByText('Read me')).toBeVisible()
  await pdf.getByText('Read me').click({ force: true })
  await pdf.getByRole('textbox', { name: 'Page number' }).fill('2')
  await page.keyboard.press('Enter')
  await expect(pdf.getByText('Second')).toBeVisible()
  await expect(pdf.locator('a[href^="javascript"]')).toHaveCount(0)
  expect(dialogs).toBe(0)
  expect(foreign).toEqual([])
})

test('a link of a PDF opens in a new tab, without access to this one', async ({ openPdf }) => {
  const pdf = await openPdf('link.pdf', pdfOf(['Read on'], { link: 'https://example.org/next' }))
  const link = pdf.locator('a[href="https://example.org/next"]')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener noreferrer/)
})

function widthOf(sheet: Locator): Promise<number> {
  return sheet.evaluate((element) => element.getBoundingClientRect().width)
}

function foreignRequests(page: Page, home: string): string[] {
  const foreign: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (/^(?:http|ws)/.test(url) && !url.startsWith(`${home}/`)) foreign.push(url)
  })
  return foreign
}
