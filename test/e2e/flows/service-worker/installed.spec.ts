import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { startServer } from '../../../support/server/server.ts'
import { expect, test } from '../../fixtures.ts'
import { FilesPage } from '../../pages/FilesPage.ts'
import { LoginPage } from '../../pages/LoginPage.ts'
import { UploadPanel } from '../../pages/UploadPanel.ts'
import { waitForServiceWorker } from '../../pages/worker.ts'

/** The paths of all responses in the caches of the browser. */
async function cachedPaths(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const keys = await Promise.all(all.map((cache) => cache.keys()))
    return keys.flat().map(({ url }) => new URL(url).pathname)
  })
}

test('without its server the installed app shows an error with the instance’s name, and recovers @spec-10.11', async ({
  page,
}) => {
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  mkdirSync(root)
  writeFileSync(join(root, 'private.txt'), 'private')
  const database = join(folder.path, 'f.db')
  const baseUrl = ['--base-url', '/drive']
  const env = { FILEMGR_BRANDING_NAME: 'Fjord' }
  const first = await startServer({ root, database, env, args: baseUrl })
  const { port } = new URL(first.url)
  const files = new FilesPage(page)
  await page.goto(`${first.url}/login`)
  await new LoginPage(page).logIn('admin', first.password)
  await files.shows('private.txt')
  await waitForServiceWorker(page)
  await files.row('private.txt').dblclick()
  await expect(page.getByRole('textbox', { name: 'private.txt' })).toBeVisible()
  await page.goBack()
  await files.shows('private.txt')

  const addresses = await cachedPaths(page)
  expect(addresses).toContain('/drive/')
  expect(addresses.filter((address) => !/^\/drive\/(static\/.+)?$/.test(address))).toEqual([])

  first.kill('SIGKILL')
  await first.stop()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
  await expect(page).toHaveTitle(/Fjord$/)
  await expect(page.getByRole('complementary')).toContainText('Fjord')

  const second = await startServer({ root, database, args: [...baseUrl, '--port', port] })
  await files.shows('private.txt')
  await second.stop()
  folder.remove()
})

test('the service worker does not preload navigations, which would request a file in a frame twice', async ({
  files,
  page,
}) => {
  await files.openRoot()
  await files.shows()
  const preload = await page.evaluate(async () => {
    const { navigationPreload } = await navigator.serviceWorker.ready
    return (await navigationPreload.getState()).enabled
  })
  expect(preload).toBe(false)
})

test('files shared by another app wait until the user chooses a destination @spec-10.11', async ({
  files,
  page,
  server,
  login,
}) => {
  await files.openRoot()
  mkdirSync(join(server.root, 'Inbox'))
  await waitForServiceWorker(page)
  await shareTo(page, 'a photo #1.jpg', 'photo')
  await expect(files.prompt.card).toContainText('Upload “a photo #1.jpg”')
  await files.prompt.folder('Inbox').click()
  await files.prompt.button('Upload').click()
  await expect(new UploadPanel(page).card).toContainText('1 file uploaded')
  expect(readFileSync(join(server.root, 'Inbox', 'a photo #1.jpg'), 'utf8')).toBe('photo')
  expect((await cachedPaths(page)).filter((address) => address.includes('shared'))).toEqual([])

  await page.reload()
  await expect(files.status).toBeVisible()
  await expect(files.prompt.card).toBeHidden()
  await files.sidebar('Log out').click()
  await expect(login.button).toBeVisible()
  await shareTo(page, 'later.txt', 'later')
  await expect(login.button).toBeVisible()
  await login.logIn(server.username, server.password)
  await expect(files.prompt.card).toContainText('later.txt')
  await files.prompt.button('Cancel').click()
  await expect.poll(() => cachedPaths(page)).not.toContainEqual(expect.stringContaining('shared'))
})

test('the page that is kept for use without the server contains no picture of a share', async ({
  files,
  page,
  server,
  admin,
}) => {
  await files.openRoot()
  await files.shows()
  await waitForServiceWorker(page)
  const picture = sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
  writeFileSync(join(server.root, 'secret.jpg'), await picture.jpeg().toBuffer())
  const answer = await admin.call('POST', `${API.share}/secret.jpg`, {})
  const { hash } = (await answer.json()) as Share
  const has = (html: string | undefined) => html?.includes('page-picture')
  await expect(async () => {
    const response = await page.goto(`./share/${hash}`)
    expect(has(await response?.text())).toBe(true)
  }).toPass()
  await expect(page.getByRole('heading', { name: 'secret.jpg' })).toBeVisible()
  const texts = await page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const scope = (await navigator.serviceWorker.ready).scope
    const pages = await Promise.all(all.map((cache) => cache.match(scope)))
    return Promise.all(pages.filter((one) => one !== undefined).map((one) => one.text()))
  })
  expect(texts.map(has)).toEqual([false])
})

test('uploads report progress behind a service worker', async ({ files, page, uploads }) => {
  await files.openRoot()
  const local = temporaryFolder()
  writeFileSync(join(local.path, 'big.bin'), new Uint8Array(120 * 2 ** 20))
  await waitForServiceWorker(page)
  const seen: number[] = []
  await page.exposeFunction('seen', (percent: number) => seen.push(percent))
  await page.evaluate(() => {
    new MutationObserver(() => {
      const bar = document.querySelector('[role="progressbar"][aria-label="Total progress"]')
      const now = Number(bar?.getAttribute('aria-valuenow') ?? 0)
      if (now > 0 && now < 100) Reflect.get(window, 'seen')(now)
    }).observe(document.body, { subtree: true, attributes: true, childList: true })
  })
  await files.upload('Files', join(local.path, 'big.bin'))
  await expect(uploads.card).toContainText('1 file uploaded')
  expect(new Set(seen).size).toBeGreaterThan(1)
  local.remove()
})

/** The request of a phone when the user shares a file to the app: a form, posted to the app's URL. */
async function shareTo(page: Page, name: string, content: string): Promise<void> {
  await page.evaluate(
    ([name_, content_]) => {
      const form = document.createElement('form')
      form.action = new URL('share-target', document.baseURI).href
      form.method = 'post'
      form.enctype = 'multipart/form-data'
      const input = document.createElement('input')
      input.type = 'file'
      input.name = 'files'
      const transfer = new DataTransfer()
      transfer.items.add(new File([content_], name_, { lastModified: 1_700_000_000_000 }))
      input.files = transfer.files
      form.append(input)
      document.body.append(form)
      form.submit()
    },
    [name, content] as const,
  )
}
