import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright/test'
import { API } from '#wire/api/routes.ts'
import { expect, test } from '../../fixtures.ts'
import type { FilesPage } from '../../pages/FilesPage.ts'
import { SharePage } from '../../pages/SharePage.ts'

/** The smallest picture there is. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The browser of a visitor: no session, and no stored data. */
async function openAsVisitor(browser: Browser): Promise<{ share: SharePage; page: Page }> {
  const page = await (await browser.newContext()).newPage()
  return { share: new SharePage(page), page }
}

/** Opens the share dialog for an entry of the shown folder. */
async function askToShare(files: FilesPage, name: string): Promise<void> {
  await files.select(name)
  await files.action('Share').click()
  await expect(files.prompt.card).toBeVisible()
}

/** Creates a link with the open form. @returns its URL, from the clipboard */
async function makeLink(files: FilesPage, page: Page, password = ''): Promise<string> {
  await files.prompt.card.getByLabel('Password (optional)', { exact: true }).fill(password)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await files.prompt.button('Create and copy link').click()
  await expect(files.toasts).toContainText('Link created and copied')
  return page.evaluate(() => navigator.clipboard.readText())
}

test('a shared file opens without an account', { tag: '@both' }, async ({
  files,
  server,
  page,
  browser,
}) => {
  writeFileSync(join(server.root, 'a#b 100%.txt'), 'hello')
  await files.openRoot()
  await askToShare(files, 'a#b 100%.txt')
  const url = await makeLink(files, page)
  await expect(files.prompt.card).toContainText('No expiry')

  const { share, page: theirs } = await openAsVisitor(browser)
  await share.open(url)
  await expect(share.title).toHaveText('a#b 100%.txt')
  await expect(theirs).toHaveTitle('a#b 100%.txt - filemgr')
  await expect(share.qrCode).toBeVisible()
  const coming = theirs.waitForEvent('download')
  await share.button('Download').click()
  expect((await coming).suggestedFilename()).toBe('a#b 100%.txt')
})

test('the download URL is copied', async ({ files, server, page, request }) => {
  writeFileSync(join(server.root, 'a.txt'), 'hello')
  await files.openRoot()
  await askToShare(files, 'a.txt')
  await makeLink(files, page)
  await files.prompt.button('Copy download link').click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('/api/public/dl/')
  const url = await page.evaluate(() => navigator.clipboard.readText())
  expect(await (await request.get(url)).text()).toBe('hello')
})

test('a password is requested until it is correct, and once for a tab @spec-2.50', async ({
  files,
  server,
  page,
  browser,
}) => {
  mkdirSync(join(server.root, 'photos/deep'), { recursive: true })
  writeFileSync(join(server.root, 'photos/deep/secret.txt'), 'hello')
  await files.openRoot()
  await askToShare(files, 'photos')
  const url = await makeLink(files, page, '  geheim ß 100% ')
  await expect(files.prompt.card).toContainText('Password')
  await expect(files.prompt.button('A link with a password has no download link')).toBeDisabled()

  const { share, page: theirs } = await openAsVisitor(browser)
  await share.open(url)
  await share.unlock('wrong')
  await expect(share.error).toContainText('Wrong password')
  await share.unlock('geheim ß 100%')
  await expect(share.title).toHaveText('photos')
  await theirs.reload()
  await share.link('deep').click()
  await share.link('secret.txt').click()
  await expect(share.title).toHaveText('secret.txt')
  const coming = theirs.waitForEvent('download')
  await share.button('Download').click()
  expect((await coming).suggestedFilename()).toBe('secret.txt')
})

test('a visitor opens folders of a share, selects entries and previews them @spec-2.50', async ({
  files,
  server,
  page,
  browser,
}) => {
  const folder = join(server.root, 'a%23b', 'in # it')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'pixel.png'), PIXEL)
  writeFileSync(join(folder, 'b,c.txt'), 'x')
  await files.openRoot()
  await askToShare(files, 'a%23b')
  const url = await makeLink(files, page)

  const { share, page: theirs } = await openAsVisitor(browser)
  await share.open(url)
  await share.link('in # it').click()
  await expect(share.title).toHaveText('in # it')
  await expect(share.breadcrumbs).toContainText('a%23b')

  await share.button('Select').click()
  await share.choose('pixel.png')
  await expect(share.picture('pixel.png')).toBeVisible()
  await share.choose('b,c.txt')
  await expect(share.selection).toContainText('2 selected')
  await expect(share.picture('pixel.png')).toBeHidden()
  const coming = theirs.waitForEvent('download')
  await share.selection.getByRole('button', { name: 'Download' }).click()
  await theirs.getByRole('radio', { name: '.tar.zst' }).check()
  await theirs.getByRole('dialog').getByRole('button', { name: 'Download' }).click()
  const { searchParams } = new URL((await coming).url())
  expect(searchParams.get('files')).toBe('b%2Cc.txt,pixel.png')
  expect(searchParams.get('algo')).toBe('tarzst')

  await share.button('Stop selecting').click()
  await share.link('pixel.png').click()
  await expect(share.picture('pixel.png')).toBeVisible()
  await share.button('Close').click()
  await share.breadcrumbs.getByRole('link', { name: 'a%23b' }).click()
  await expect(share.title).toHaveText('a%23b')
})

test('a visitor steps through the files of a shared folder, and back leads to the folder', async ({
  files,
  server,
  page,
  browser,
}) => {
  mkdirSync(join(server.root, 'trip/sub'), { recursive: true })
  for (const name of ['1.png', '2 #.png', '3.png']) {
    writeFileSync(join(server.root, 'trip', name), PIXEL)
  }
  writeFileSync(join(server.root, 'trip', '2a.txt'), 'between')
  await files.openRoot()
  await askToShare(files, 'trip')
  const url = await makeLink(files, page, 'geheim ß 100%')

  const { share, page: theirs } = await openAsVisitor(browser)
  await share.open(url)
  await share.unlock('geheim ß 100%')
  await share.link('1.png').click()
  await expect(share.title).toHaveText('1.png')
  await expect(share.button('Previous')).toBeDisabled()
  await share.button('Next').click()
  await expect(share.title).toHaveText('2 #.png')
  await expect(share.picture('2 #.png')).toBeVisible()
  await expect(share.button('Next')).toBeFocused()
  await theirs.keyboard.press('ArrowRight')
  await expect(share.title).toHaveText('2a.txt')
  await expect(theirs.getByText('between')).toBeVisible()
  await theirs.keyboard.press('ArrowRight')
  await expect(share.title).toHaveText('3.png')
  await expect(share.button('Next')).toBeDisabled()

  // The second press comes while the first file is still loading.
  const between = '**/api/public/share/*/2a.txt**'
  await theirs.route(between, () => undefined)
  await theirs.keyboard.press('ArrowLeft')
  await theirs.keyboard.press('ArrowLeft')
  await expect(share.title).toHaveText('2 #.png')
  await theirs.unroute(between)

  // A visitor who opens the URL of the file steps, too.
  await theirs.reload()
  await share.button('Previous').click()
  await expect(share.title).toHaveText('1.png')
  await theirs.goBack()
  await expect(share.title).toHaveText('trip')
  await expect(share.button('Next')).toBeHidden()
})

test('a shared folder is centred in the window', async ({ files, server, page, browser }) => {
  mkdirSync(join(server.root, 'many'))
  for (let at = 0; at < 60; at += 1) writeFileSync(join(server.root, 'many', `f${at}`), '')
  await files.openRoot()
  await askToShare(files, 'many')
  const url = await makeLink(files, page)
  const { share, page: theirs } = await openAsVisitor(browser)
  for (const width of [1440, 1000]) {
    await theirs.setViewportSize({ width, height: 700 })
    await share.open(url)
    await expect(share.list).toBeVisible()
    const [left, right] = await theirs.getByRole('main').evaluate((main) => {
      const { left, right } = main.getBoundingClientRect()
      return [left, innerWidth - right]
    })
    expect(left).toBeCloseTo(right ?? 0, 0)
  }
})

test('the link of one selected file is copied; with a password, that of its page @spec-2.50', async ({
  server,
  browser,
  request,
  admin,
}) => {
  mkdirSync(join(server.root, 'box/in'), { recursive: true })
  writeFileSync(join(server.root, 'box', 'a 1%.txt'), 'hello')
  const linkWith = async (password: string) => {
    const made = await admin.call('POST', `${API.share}/box/`, { password })
    return `${server.url}/share/${((await made.json()) as { hash: string }).hash}`
  }
  const { share, page } = await openAsVisitor(browser)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = async () => {
    await share.button('Select').click()
    await share.choose('a 1%.txt')
    await share.selection.getByRole('button', { name: 'Copy link' }).click()
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Link copied')
    return page.evaluate(() => navigator.clipboard.readText())
  }

  await share.open(await linkWith(''))
  expect(await (await request.get(await copied())).text()).toBe('hello')
  await share.choose('in')
  await expect(share.selection.getByRole('button', { name: 'Copy link' })).toBeHidden()

  const locked = await linkWith('geheim')
  await share.open(locked)
  await share.unlock('geheim')
  const url = await copied()
  expect(url).toBe(`${locked}/a%201%25.txt`)
  const other = await openAsVisitor(browser)
  await other.share.open(url)
  await other.share.unlock('geheim')
  await expect(other.share.title).toHaveText('a 1%.txt')
})

test('a large shared folder shows a hundred entries at a time @spec-2.50 @spec-9.2', async ({
  files,
  server,
  page,
  browser,
}) => {
  mkdirSync(join(server.root, 'many'))
  for (let at = 0; at < 250; at += 1) writeFileSync(join(server.root, 'many', `f${at}`), '')
  await files.openRoot()
  await askToShare(files, 'many')
  const url = await makeLink(files, page)
  const { share } = await openAsVisitor(browser)
  await share.open(url)
  await expect(share.list.getByRole('row')).toHaveCount(101)
  await share.button('+150 more').click()
  await expect(share.list.getByRole('row')).toHaveCount(201)
  await share.button('+50 more').click()
  await expect(share.list.getByRole('row')).toHaveCount(251)
})

test('a deleted share shows an error @spec-2.49', async ({ files, server, page, browser }) => {
  writeFileSync(join(server.root, 'a.txt'), 'hello')
  await files.openRoot()
  await askToShare(files, 'a.txt')
  const url = await makeLink(files, page)
  await files.prompt.button('Delete link').click()
  await files.prompt.button('Cancel').click()
  await files.prompt.button('Delete link').click()
  await files.prompt.button('Delete link').click()
  // Without any link the form is back, and leaving it leaves the prompt.
  await expect(files.prompt.button('Create and copy link')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(files.prompt.card).toBeHidden()

  const { share } = await openAsVisitor(browser)
  await share.open(url)
  await expect(share.problem).toHaveText('This link does not work')
  await expect(share.button('Download')).toBeHidden()
})

test('a share expires after the chosen duration, and an invalid duration is explained @spec-5.4', async ({
  files,
  server,
}) => {
  writeFileSync(join(server.root, 'a.txt'), 'hello')
  await files.openRoot()
  await askToShare(files, 'a.txt')
  await files.prompt.card.getByRole('radio', { name: 'Other…' }).check()
  const amount = files.prompt.card.getByLabel('Duration')
  await amount.first().fill('2147483648')
  await expect(files.prompt.card).toContainText('Enter a whole number up to')
  await expect(files.prompt.button('Create and copy link')).toBeDisabled()
  await amount.first().fill('5')
  await files.prompt.card.getByLabel('Unit').selectOption('days')
  await expect(files.prompt.card).toContainText('Until ')
  await files.prompt.button('Create and copy link').click()
  await expect(files.prompt.card).toContainText('5 days left')
  await files.prompt.button('Done').click()
  // If there are links, the dialog begins with their list.
  await files.action('Share').click()
  await expect(files.prompt.card).toContainText('days left')
})

test('a share is created by keyboard alone, with a preset and a generated password @spec-4.4', async ({
  files,
  server,
  page,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  writeFileSync(join(server.root, 'a.txt'), 'hello')
  await files.openRoot()
  await askToShare(files, 'a.txt')
  await expect(files.prompt.button('Create and copy link')).toBeFocused()
  await files.prompt.card.getByRole('radio', { name: 'Never' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(files.prompt.card.getByRole('radio', { name: '30 days' })).toBeChecked()
  await files.prompt.button('Generate').press('Enter')
  const password = await files.prompt.card.getByLabel('Password (optional)').first().inputValue()
  expect(password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)
  await files.prompt.button('Create and copy link').press('Enter')
  await expect(files.toasts).toContainText('Link created and copied')
  const url = await copied()
  await expect(files.prompt.card).toContainText('30 days left')
  await expect(files.prompt.button('Copy link')).toBeFocused()
  await files.prompt.button('Copy password').press('Enter')
  await expect.poll(copied).toBe(password)
  await files.prompt.button('QR code').press('Enter')
  await expect(files.prompt.card.getByRole('img', { name: `QR code for ${url}` })).toBeVisible()
  await files.prompt.button('Done').press('Enter')

  const { share } = await openAsVisitor(browser)
  await share.open(url)
  await share.unlock(password)
  await expect(share.title).toHaveText('a.txt')
  // The dialog shows the visit when it is opened again, and no longer the password.
  await files.action('Share').click()
  await expect(files.prompt.card).toContainText('1 visit')
  await expect(files.prompt.button('Copy password')).toBeHidden()
})

test('the current folder is shared if nothing is selected', async ({
  files,
  server,
  page,
  browser,
}) => {
  mkdirSync(join(server.root, 'here'))
  writeFileSync(join(server.root, 'here', 'a.txt'), 'hello')
  await files.open('/here')
  await files.shows('a.txt')
  await files.action('Share').click()
  const url = await makeLink(files, page)
  rmSync(join(server.root, 'here', 'a.txt'))
  const { share } = await openAsVisitor(browser)
  await share.open(url)
  await expect(share.title).toHaveText('here')
  await expect(share.button('Select')).toBeHidden()
})

test('the cover of a shared folder leaves out unreadable pictures, and requests each once', async ({
  server,
  page,
  admin,
}) => {
  mkdirSync(join(server.root, 'album'))
  writeFileSync(join(server.root, 'album/a.png'), 'no picture')
  for (const name of ['b', 'c', 'd', 'e']) {
    writeFileSync(join(server.root, `album/${name}.png`), PIXEL)
  }
  const made = await admin.call('POST', `${API.share}/album/`, {})
  const { hash } = (await made.json()) as { hash: string }
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('a.png')) asked.push(new URL(request.url()).pathname)
  })
  await page.goto(`${server.url}/share/${hash}`)
  const cover = page.locator('.ShareCover img')
  await expect(cover).toHaveCount(3)
  const shown = await cover.evaluateAll((all) =>
    all.map((one) => new URL((one as HTMLImageElement).src).pathname.split('/').at(-1)),
  )
  expect(shown).toEqual(['b.png', 'c.png', 'd.png'])
  expect(asked.length).toBeGreaterThan(0)
  expect(asked).toEqual([...new Set(asked)])
})

test('a link that lost its file says so, and leads to the new file only if its owner wants that', async ({
  files,
  server,
  page,
  request,
}) => {
  const disk = join(server.root, 'plan.txt')
  writeFileSync(disk, 'old plan')
  await files.openRoot()
  await askToShare(files, 'plan.txt')
  await makeLink(files, page)
  await files.prompt.button('Copy download link').click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('/api/public/dl/')
  const url = await page.evaluate(() => navigator.clipboard.readText())
  rmSync(disk)
  expect((await request.get(url)).status()).toBe(404)
  writeFileSync(disk, 'new plan')
  await page.goto('./settings/shares')
  const row = page.getByRole('row').filter({ hasText: 'plan.txt' })
  await expect(row).toContainText('has this name now')
  expect((await request.get(url)).status()).toBe(404)
  await row.getByRole('button', { name: 'Share this one' }).click()
  await expect(files.toasts).toContainText('The link leads to it now')
  await expect(row).not.toContainText('has this name now')
  expect(await (await request.get(url)).text()).toBe('new plan')
})
