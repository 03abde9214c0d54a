/** Several selected entries are shared at once: each gets its own link. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { expect, test } from '../../fixtures.ts'
import { SharePage } from '../../pages/SharePage.ts'

test('one click makes a link for each selected item, and all links are copied @spec-2.23', async ({
  browser,
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'photos'))
  writeFileSync(join(server.root, 'photos/x.txt'), 'x')
  for (const name of ['a#b 100%.txt', 'b.txt']) writeFileSync(join(server.root, name), name)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await files.openRoot()
  await files.select('photos', 'a#b 100%.txt', 'b.txt')
  await files.selection.getByRole('button', { name: 'Share' }).click()
  const { card } = files.prompt
  await expect(card).toContainText('New links to 3 items')
  await files.prompt.button('Create and copy links').click()
  await expect(files.toasts).toContainText('Links created and copied')
  const links = card.getByRole('list', { name: 'Links' }).getByRole('listitem')
  await expect(links).toHaveCount(3)
  for (const [index, name] of ['photos', 'a#b 100%.txt', 'b.txt'].entries()) {
    await expect(links.nth(index).getByTitle(name, { exact: true })).toBeVisible()
  }
  const read = () => page.evaluate(() => navigator.clipboard.readText())
  const urls = (await read()).split('\n')
  expect(new Set(urls).size).toBe(3)
  await links.nth(0).getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(read).toBe(urls[0] ?? '')
  await files.prompt.button('Copy all links').click()
  await expect.poll(read).toBe(urls.join('\n'))

  const visitor = await (await browser.newContext()).newPage()
  await new SharePage(visitor).open(urls[0] ?? '')
  await expect(visitor.getByRole('link', { name: 'x.txt' })).toBeVisible()
  await new SharePage(visitor).open(urls[1] ?? '')
  await expect(new SharePage(visitor).title).toHaveText('a#b 100%.txt')

  // A deleted link is not copied with the others.
  await links.nth(0).getByRole('button', { name: 'Delete link' }).click()
  await files.prompt.button('Delete link').click()
  await expect(links).toHaveCount(2)
  await files.prompt.button('Copy all links').click()
  await expect.poll(read).toBe(urls.slice(1).join('\n'))
})

test('by keyboard, one duration and one password hold for all links @spec-2.23', async ({
  browser,
  files,
  server,
  page,
}) => {
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(server.root, name), name)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await files.openRoot()
  await files.shows('a.txt', 'b.txt')
  await files.grid.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ControlOrMeta+a')
  await files.selection.getByRole('button', { name: 'Share' }).focus()
  await page.keyboard.press('Enter')
  const { card } = files.prompt
  await expect(files.prompt.button('Create and copy links')).toBeFocused()
  await card.getByRole('radio', { name: 'Never' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(card.getByRole('radio', { name: '30 days' })).toBeChecked()
  await card.getByLabel('Password (optional)', { exact: true }).focus()
  await page.keyboard.type('northern lights')
  await page.keyboard.press('Enter')
  await expect(files.prompt.button('Copy all links')).toBeFocused()
  await expect(card.getByText('northern lights')).toHaveCount(1)
  const links = card.getByRole('list', { name: 'Links' }).getByRole('listitem')
  await expect(links).toHaveCount(2)
  for (const link of await links.all()) await expect(link).toContainText('left')
  const text = await page.evaluate(() => navigator.clipboard.readText())
  for (const [index, url] of text.split('\n').entries()) {
    const visitor = await (await browser.newContext()).newPage()
    const share = new SharePage(visitor)
    await share.open(url)
    await share.unlock('northern lights')
    await expect(share.title).toHaveText(index === 0 ? 'a.txt' : 'b.txt')
  }
})

test('an item that cannot be shared is named with the reason, and the others are shared @spec-2.23', async ({
  files,
  server,
  page,
}) => {
  for (const name of ['a.txt', 'b.txt']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  await files.select('a.txt', 'b.txt')
  await page.route('**/api/share/b.txt*', (route) =>
    route.fulfill({ status: 403, headers: { 'X-Fault': 'forbidden' }, body: '' }),
  )
  await files.selection.getByRole('button', { name: 'Share' }).click()
  await files.prompt.button('Create and copy links').click()
  const { card } = files.prompt
  await expect(card.getByRole('alert')).toHaveText(
    'No link created: b.txt. You do not have permission to do this.',
  )
  await expect(card.getByRole('list', { name: 'Links' }).getByRole('listitem')).toHaveCount(1)
})

test.describe('the address of the server', () => {
  test.use({ ownServer: true })

  test('a link of the own machine says that it works only there, and begins with the public address once that is set', async ({
    files,
    page,
    server,
    admin,
  }) => {
    writeFileSync(join(server.root, 'a.bin'), 'a')
    await admin.call('POST', `${API.share}/a.bin`, {})
    await files.openRoot()
    await files.choose('a.bin', 'Share')
    const notice = page.getByText('This address only works on this computer.')
    await expect(notice).toBeVisible()
    const settings = { publicAddress: 'https://files.example.org/files' }
    expect((await admin.call('PUT', API.settings, settings)).status).toBe(200)
    await files.openRoot()
    await files.choose('a.bin', 'Share')
    await expect(page.locator('.ShareLink__url')).toHaveAttribute(
      'title',
      /^https:\/\/files\.example\.org\/files\/share\//,
    )
    await expect(notice).toBeHidden()
  })
})
