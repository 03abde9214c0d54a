/** Text documents and spreadsheets: what is shown, and what a hostile file cannot do. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { pdfOf } from '../../../support/files/pdf.ts'
import {
  BULLETS,
  docxOf,
  encryptedDocument,
  odsOf,
  odtOf,
  sheetRow,
  wordPicture,
  wordText,
  xlsxOf,
  zipBomb,
} from '../../../support/files/zipped-documents.ts'
import { signIn } from '../../../support/server/client.ts'
import { REPO_ROOT } from '../../../support/server/executable.ts'
import { test as base, expect } from '../../fixtures.ts'

const AXE = readFileSync(join(REPO_ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')

interface Fixtures {
  openFile: (name: string, content: Uint8Array) => Promise<void>
}

const test = base.extend<Fixtures>({
  openFile: async ({ opened, server }, use) => {
    await use(async (name, content) => {
      writeFileSync(join(server.root, name), content)
      await opened.open(`/${name}`)
    })
  },
})

test('a DOCX file is shown as pages @spec-10.8', async ({ opened, openFile }) => {
  await openFile('letter.docx', docxOf(wordText('Dear harbour') + wordText('Yours', '<w:b/>')))
  const letter = opened.frameContent('letter.docx')
  await expect(letter.getByText('Dear harbour')).toBeVisible()
  await expect(letter.getByText('Yours')).toHaveCSS('font-weight', '700')
})

test('an RTF file is shown as its text, also to visitors of a share', async ({
  browser,
  opened,
  openFile,
  server,
}) => {
  const source = String.raw`{\rtf1\ansi{\fonttbl{\f0 Arial;}}\pard Dear \'fcber harbour\par Yours}`
  await openFile('letter.rtf', Buffer.from(source, 'latin1'))
  await expect(opened.frameContent('letter.rtf').getByText('Dear über harbour')).toBeVisible()
  await expect(opened.frameContent('letter.rtf').getByText('Arial')).toHaveCount(0)
  const admin = await signIn(server.url, server.username, server.password)
  const answer = await admin.call('POST', `${API.share}/letter.rtf`, '{}')
  const { hash }: Share = await answer.json()
  const visitor = await browser.newContext()
  const page = await visitor.newPage()
  await page.goto(`${server.url}/share/${hash}`)
  const shared = page.frameLocator('iframe[title="letter.rtf"]')
  await expect(shared.getByText('Dear über harbour')).toBeVisible()
  await visitor.close()
})

test('a list in a DOCX file has bullets that every system has', async ({ opened, openFile }) => {
  const item =
    '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>Rope</w:t></w:r></w:p>'
  await openFile('list.docx', docxOf(item, BULLETS.relation, BULLETS.files))
  const marker = () =>
    opened
      .frameContent('list.docx')
      .locator('p', { hasText: 'Rope' })
      .evaluate((element) => getComputedStyle(element, '::before').content)
  await expect.poll(marker).toBe('"•\u2003"')
})

test('an ODT file is shown with its headings, styles, lists and tables @spec-10.8', async ({
  opened,
  openFile,
}) => {
  const bold =
    '<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>'
  const body = `<text:h text:outline-level="2">The log</text:h>
    <text:p>A <text:span text:style-name="B">heavy</text:span> sea<text:s text:c="2"/>today</text:p>
    <text:list><text:list-item><text:p>Rope</text:p></text:list-item></text:list>
    <table:table><table:table-row><table:table-cell><text:p>Depth</text:p></table:table-cell></table:table-row></table:table>`
  await openFile('log.odt', odtOf(body, { styles: bold }))
  const log = opened.frameContent('log.odt')
  await expect(log.getByRole('heading', { name: 'The log', level: 2 })).toBeVisible()
  await expect(log.getByText('heavy')).toHaveCSS('font-weight', '700')
  await expect(log.getByRole('listitem')).toHaveText('Rope')
  await expect(log.getByRole('cell')).toHaveText('Depth')
})

test('an ODT file has numbered lists, and its notes and text boxes do not end a paragraph', async ({
  opened,
  openFile,
}) => {
  const styles = `<text:list-style style:name="L">
    <text:list-level-style-number text:level="1" style:num-format="1" text:start-value="3"/>
    <text:list-level-style-number text:level="2" style:num-format="a"/>
    <text:list-level-style-bullet text:level="3"/></text:list-style>`
  const item = (text: string, more = '') =>
    `<text:list-item><text:p>${text}</text:p>${more}</text:list-item>`
  const list = (items: string, attributes = '') => `<text:list ${attributes}>${items}</text:list>`
  const note =
    '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:list><text:list-item><text:p>Twice</text:p></text:list-item></text:list></text:note-body></text:note>'
  const box = '<draw:frame><draw:text-box><text:p>Boxed</text:p></draw:text-box></draw:frame>'
  const body = `<text:table-of-content><text:table-of-content-source><text:index-title-template>Contents</text:index-title-template></text:table-of-content-source>
    <text:index-body><text:index-title><text:p>Contents</text:p></text:index-title></text:index-body></text:table-of-content>
    ${list(item('Bow', list(item('Anchor', list(item('Chain'))))), 'text:style-name="L"')}
    <text:p>Then${note} ${box}sail</text:p>
    ${list(item('Stern'), 'text:style-name="L" text:continue-numbering="true"')}`
  await openFile('list.odt', odtOf(body, { styles }))
  const text = opened.frameContent('list.odt')
  await expect(text.getByText('Contents')).toHaveCount(1)
  const listWith = (name: string) =>
    text.getByText(name, { exact: true }).locator('xpath=ancestor::*[self::ol or self::ul][1]')
  await expect(listWith('Bow')).toHaveJSProperty('start', 3)
  await expect(listWith('Bow')).toHaveCSS('list-style-type', 'decimal')
  await expect(listWith('Anchor')).toHaveJSProperty('start', 1)
  await expect(listWith('Anchor')).toHaveCSS('list-style-type', 'lower-alpha')
  await expect(listWith('Chain')).toHaveJSProperty('localName', 'ul')
  await expect(listWith('Stern')).toHaveJSProperty('start', 4)
  const paragraph = text.getByRole('paragraph').filter({ hasText: 'Then' })
  await expect(paragraph).toHaveText(/Then1\s*Twice\s*Boxed\s*sail/)
})

test('pictures inside of a document are shown', async ({ opened, openFile }) => {
  const teal = { create: { width: 60, height: 40, channels: 3, background: 'teal' } } as const
  const picture = await sharp(teal).png().toBuffer()
  const width = (image: HTMLImageElement) => image.naturalWidth
  const relation =
    '<Relationship Id="p1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/a.png"/>'
  await openFile('p.docx', docxOf(wordPicture('p1'), relation, { 'word/media/a.png': picture }))
  const word = opened.frameContent('p.docx').locator('img')
  await expect.poll(() => word.evaluate(width)).toBe(60)
  const frame =
    '<text:p><draw:frame svg:width="3cm"><draw:image xlink:href="Pictures/a.png"/></draw:frame></text:p>'
  await openFile('p.odt', odtOf(frame, { files: { 'Pictures/a.png': picture } }))
  await expect.poll(() => opened.frameContent('p.odt').locator('img').evaluate(width)).toBe(60)
})

test('a spreadsheet is shown as tables, with its sheets as tabs for pointer and keyboard @spec-10.8', async ({
  opened,
  openFile,
  page,
}) => {
  const ports = sheetRow(1, ['Port', 'Depth']) + sheetRow(2, ['Bodø', 12.5])
  await openFile('ports.xlsx', xlsxOf({ Ports: ports, Fees: sheetRow(1, ['Night', 240]) }))
  await expect(opened.table('Ports').getByRole('cell', { name: 'Bodø' })).toBeVisible()
  await expect(opened.table('Ports').getByRole('cell', { name: '12.5' })).toBeVisible()
  await expect(
    opened.table('Ports').getByRole('columnheader', { name: 'B', exact: true }),
  ).toBeVisible()
  await page.getByRole('tab', { name: 'Fees' }).click()
  await expect(opened.table('Fees').getByRole('cell', { name: '240' })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('tab', { name: 'Ports' })).toBeFocused()
  await expect(page.getByRole('tabpanel', { name: 'Ports' })).toBeVisible()
  await page.keyboard.press('End')
  await expect(page.getByRole('tab', { name: 'Fees' })).toHaveAttribute('aria-selected', 'true')

  const cells =
    '<table:table-cell table:number-columns-repeated="2"><text:p>same</text:p></table:table-cell>'
  await openFile(
    'same.ods',
    odsOf(
      `<table:table table:name="One"><table:table-row>${cells}</table:table-row></table:table>`,
    ),
  )
  await expect(opened.table('One').getByRole('cell', { name: 'same' })).toHaveCount(2)
})

test('the first rows of a sheet stay visible if it says so, in bold', async ({
  openFile,
  opened,
  page,
}) => {
  const head = '<row r="1"><c r="A1" s="1" t="inlineStr"><is><t>Port</t></is></c></row>'
  const rows = Array.from({ length: 200 }, (_, at) => sheetRow(at + 2, [`Port ${at + 1}`]))
  await openFile('ports.xlsx', xlsxOf({ Ports: head + rows.join('') }, [], 1))
  const cell = (name: string) => opened.table('Ports').getByRole('cell', { name, exact: true })
  await expect(cell('Port')).toHaveCSS('font-weight', '600')
  await page.getByRole('region', { name: 'Ports' }).press('End')
  await expect(cell('Port 200')).toBeInViewport()
  await expect(cell('Port')).toBeInViewport({ ratio: 1 })
  // It is not sorted with the others.
  await opened.table('Ports').getByRole('button', { name: 'A' }).click()
  await opened.table('Ports').getByRole('button', { name: 'A' }).click()
  await page.getByRole('region', { name: 'Ports' }).press('Home')
  await expect(opened.table('Ports').getByRole('row').nth(1)).toContainText('Port')
  await expect(opened.table('Ports').getByRole('row').nth(2)).toContainText('Port 200')
})

test('a DOCX file without page size and margins has those of a page', async ({
  openFile,
  opened,
}) => {
  const bare = docxOf(wordText('Dear harbour'), '', {}, '<w:sectPr/>')
  await openFile('bare.docx', bare)
  const text = opened.frameContent('bare.docx').getByText('Dear harbour')
  await expect(text).toBeVisible()
  const margin = await text.evaluate((element) => {
    const page = element.closest('section')?.getBoundingClientRect()
    return element.getBoundingClientRect().x - (page?.x ?? 0)
  })
  expect(margin).toBeGreaterThan(40)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a short DOCX file has the width of the window', async ({ openFile, opened }) => {
    await openFile('short.docx', docxOf(wordText('Hi')))
    const text = opened.frameContent('short.docx').getByText('Hi')
    await expect(text).toBeVisible()
    const width = await text.evaluate((element) => element.closest('section')?.clientWidth)
    expect(width).toBeGreaterThan(330)
  })
})

test('a large sheet is cut, and a sentence says so', async ({ openFile, opened, page }) => {
  const far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
  await openFile('far.xlsx', xlsxOf({ Far: sheetRow(1, ['here']) + far }))
  await expect(opened.table('Far').getByRole('cell', { name: 'here' })).toBeVisible()
  await expect(
    page.getByRole('status').filter({ hasText: 'Only the first 50,000 rows and 200 columns' }),
  ).toBeVisible()
})

test('a document runs no script and requests nothing @spec-10.8', async ({
  opened,
  openFile,
  page,
  server,
}) => {
  const requests = requestsOf(page)
  const picture =
    '<Relationship Id="x1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="https://evil.example/a.png" TargetMode="External"/>'
  const link =
    '<Relationship Id="x2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="javascript:alert(1)" TargetMode="External"/>'
  const body = `${wordPicture('x1')}<w:p><w:hyperlink r:id="x2"><w:r><w:t>Click me</w:t></w:r></w:hyperlink></w:p>${wordText('&lt;img src=x onerror=alert(1)&gt;')}`
  await openFile('hostile.docx', docxOf(body, picture + link))
  const word = opened.frameContent('hostile.docx')
  await expect(word.getByText('Click me')).toBeVisible()
  await expect(
    word.locator('a[href^="javascript"], script, [onerror], img[src^="http"]'),
  ).toHaveCount(0)
  await expect(opened.frame('hostile.docx')).toHaveAttribute('sandbox', 'allow-same-origin')

  const odt = `<text:p><text:a xlink:href="javascript:alert(1)">Tap me</text:a>
    <draw:frame><draw:image xlink:href="https://evil.example/b.png"/></draw:frame></text:p>
    <script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>
    <img xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example/c.png" onclick="alert(1)"/>`
  const styles =
    '<style:style style:name="U" style:family="paragraph"><style:paragraph-properties fo:background-color="url(https://evil.example/d.png)"/></style:style>'
  await openFile('hostile.odt', odtOf(`${odt}<text:p text:style-name="U">end</text:p>`, { styles }))
  const text = opened.frameContent('hostile.odt')
  await expect(text.getByText('Tap me')).toBeVisible()
  await expect(text.locator('a[href], script, [onclick], img')).toHaveCount(0)
  expect(requests.filter((url) => !url.startsWith(`${server.url}/`))).toEqual([])
})

for (const name of ['bomb.docx', 'bomb.odt', 'bomb.xlsx', 'bomb.ods']) {
  test(`a small archive that expands without limit is not unpacked: ${name}`, async ({
    openFile,
    page,
  }) => {
    const part =
      { docx: 'word/document.xml', xlsx: 'xl/workbook.xml' }[name.slice(5)] ?? 'content.xml'
    await openFile(name, zipBomb(part))
    await expect(page.getByText('too large to be shown')).toBeVisible()
    await expect(
      page.getByRole('main').getByRole('button', { name: 'Download' }).last(),
    ).toBeVisible()
  })
}

test('an encrypted and a damaged document get the card that says so @spec-10.8', async ({
  openFile,
  page,
}) => {
  await openFile('secret.docx', encryptedDocument())
  await expect(page.getByText('protected by a password')).toBeVisible()
  await openFile('secret.odt', odtOf('', { encrypted: true }))
  await expect(page.getByText('protected by a password')).toBeVisible()
  await openFile('secret.xlsx', encryptedDocument())
  await expect(page.getByText('protected by a password')).toBeVisible()
  for (const name of ['broken.docx', 'broken.odt', 'broken.xlsx', 'broken.ods']) {
    await openFile(name, Buffer.from('PK\u0003\u0004 nothing'))
    await expect(page.getByText('The file is damaged')).toBeVisible()
  }
  await openFile(
    'laughs.odt',
    odtOf('<text:p>&lol;</text:p>', { prolog: '<!DOCTYPE x [<!ENTITY lol "ha">]>' }),
  )
  await expect(page.getByText('The file is damaged')).toBeVisible()
})

test('the worker of a PDF loads beside its reader', async ({ page, openFile, opened }) => {
  const worker = page.waitForRequest(/pdf\.worker/)
  await page.route(/PdfReader/, async (route) => {
    await worker
    await route.continue()
  })
  await openFile('a.pdf', pdfOf(['First']))
  await expect(opened.pdf('a.pdf').getByText('First', { exact: true })).toBeVisible()
})

test('each page of a PDF is a landmark of its own name, on its page and in Quick Look', async ({
  files,
  opened,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'a.pdf'), pdfOf(['First', 'Second']))
  await opened.open('/a.pdf')
  await expect(opened.pdf('a.pdf').getByText('First', { exact: true })).toBeVisible()
  expect(await landmarkFaults(page)).toEqual([])
  await files.open('/')
  await files.select('a.pdf')
  await page.keyboard.press('Space')
  const look = page.getByRole('dialog', { name: 'Quick look at a.pdf' })
  await expect(look.getByText('First', { exact: true })).toBeVisible()
  expect(await landmarkFaults(page)).toEqual([])
})

test('a visitor of a share reads documents in the same viewers @spec-10.8', async ({
  files,
  server,
  browser,
  admin,
}) => {
  await files.openRoot()
  const put = (name: string, content: Uint8Array) => writeFileSync(join(server.root, name), content)
  put('a.pdf', pdfOf(['For everybody', 'Everybody else']))
  put('b.docx', docxOf(wordText('Public letter')))
  put('c.xlsx', xlsxOf({ Fees: sheetRow(1, ['Night']) }))
  put('d.pdf', Buffer.from('%PDF-1.4\nno objects'))
  const made = await admin.call('POST', `${API.share}/`, '{}')
  const { hash } = (await made.json()) as Share
  const visitor = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  const requests = requestsOf(visitor)
  await visitor.goto(`${server.url}/share/${hash}/a.pdf`)
  const text = visitor.getByText('For everybody')
  await expect(text).toBeVisible()
  await text.selectText()
  expect(await visitor.evaluate(() => String(getSelection()))).toBe('For everybody')
  await visitor.keyboard.press('ControlOrMeta+f')
  const find = visitor.getByRole('search')
  await find.getByRole('textbox', { name: 'Find' }).fill('everybody')
  await expect(find.getByRole('status')).toHaveText('1 of 2')
  await expect(visitor.locator('.highlight.selected')).toHaveText('everybody')
  expect(await landmarkFaults(visitor)).toEqual([])
  await visitor.goto(`${server.url}/share/${hash}/b.docx`)
  await expect(visitor.frameLocator('iframe').getByText('Public letter')).toBeVisible()
  await visitor.goto(`${server.url}/share/${hash}/c.xlsx`)
  await expect(visitor.getByRole('cell', { name: 'Night' })).toBeVisible()
  await visitor.goto(`${server.url}/share/${hash}/d.pdf`)
  await expect(visitor.getByText('The file is damaged')).toBeVisible()
  expect(requests.filter((url) => !url.startsWith(`${server.url}/`))).toEqual([])
  await visitor.context().close()
})

/** Landmarks with the same name, or none around the content, found by axe-core. */
async function landmarkFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document, {
      runOnly: ['landmark-unique', 'landmark-one-main', 'landmark-no-duplicate-main', 'region'],
      preload: { assets: ['media'] },
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}

/** The addresses of the network that a page requests. */
function requestsOf(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => {
    if (/^(?:http|ws)/.test(request.url())) requests.push(request.url())
  })
  return requests
}
