import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright/test'
import { expect, test } from '../../fixtures.ts'

/** `日本語のテキストです。これは古いファイルです。` in Shift_JIS. */
const JAPANESE = Buffer.from(
  '93fa967b8cea82cc8365834c8358836782c582b7814282b182ea82cd8cc382a2837483408343838b82c582b78142',
  'hex',
)
/** `Übung macht müde Äpfel` in Windows-1252, as a file of the time before Unicode. */
const GERMAN = Buffer.from('\xdcbung macht m\xfcde \xc4pfel', 'latin1')

function encodingOf(page: Page): Locator {
  return page.getByRole('main').getByRole('combobox', { name: 'Encoding' })
}

test('a text of another encoding opens in the probable one, and saving writes what is seen', async ({
  opened,
  server,
  page,
}) => {
  const path = join(server.root, 'old.txt')
  writeFileSync(path, JAPANESE)
  await opened.open('/old.txt')
  await expect(opened.text('old.txt')).toContainText('日本語のテキストです')
  await expect(page.getByRole('main')).toContainText('probably SHIFT_JIS')
  await page.getByRole('button', { name: 'Edit as UTF-8' }).click()
  await opened.text('old.txt').press('ControlOrMeta+End')
  await page.keyboard.type('!')
  await opened.save()
  expect(readFileSync(path, 'utf8')).toBe('日本語のテキストです。これは古いファイルです。!')
  // The bytes of before are one step away.
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await expect.poll(() => readFileSync(path).equals(JAPANESE)).toBe(true)
})

test('another encoding can be chosen; it changes nothing in the file, and is remembered', async ({
  opened,
  server,
  page,
}) => {
  const path = join(server.root, 'old.txt')
  writeFileSync(path, GERMAN)
  await opened.open('/old.txt')
  // The editor is loaded with the first text.
  await expect(opened.text('old.txt')).toContainText('Übung macht müde Äpfel', { timeout: 30_000 })
  await expect(page.getByRole('main')).toContainText('probably WINDOWS-1252')
  await encodingOf(page).selectOption('windows-1251')
  await expect(opened.text('old.txt')).toContainText('Ьbung macht mьde Дpfel')
  await expect(page.getByRole('main')).not.toContainText('probably')
  await expect(opened.unsaved).toBeHidden()
  expect(readFileSync(path).equals(GERMAN)).toBe(true)
  await page.reload()
  await expect(opened.text('old.txt')).toContainText('Ьbung macht mьde Дpfel')
  await expect(encodingOf(page)).toHaveValue('windows-1251')
})

test('a UTF-8 text with a damaged byte stays UTF-8, and says what is damaged', async ({
  opened,
  server,
  page,
}) => {
  const text = Buffer.concat([Buffer.from('Grüße aus Köln, bitte prüfen'), Buffer.from([0xff])])
  writeFileSync(join(server.root, 'broken.txt'), text)
  await opened.open('/broken.txt')
  await expect(opened.text('broken.txt')).toContainText('Grüße aus Köln, bitte prüfen')
  await expect(page.getByRole('main')).toContainText('Damaged places: 1')
})

test('a visitor of a share chooses the encoding of a text, too', async ({
  files,
  server,
  page,
  browser,
}) => {
  writeFileSync(join(server.root, 'old.txt'), JAPANESE)
  await files.openRoot()
  await files.select('old.txt')
  await files.action('Share').click()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await files.prompt.button('Create and copy link').click()
  await expect(files.toasts).toContainText('Link created and copied')
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(await page.evaluate(() => navigator.clipboard.readText()))
  const main = visitor.getByRole('main')
  await expect(main).toContainText('日本語のテキストです')
  await expect(main).toContainText('probably SHIFT_JIS')
  await main.getByRole('combobox', { name: 'Encoding' }).selectOption('koi8-r')
  await expect(main).not.toContainText('日本語')
  await expect(main).not.toContainText('probably')
  await visitor.reload()
  await expect(main.getByRole('combobox', { name: 'Encoding' })).toHaveValue('koi8-r')
})
