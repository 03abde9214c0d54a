/** Folders that only lead to an allowed one are no destination, and what a download lacks is said. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { signIn } from '../../../support/server/client.ts'
import type { TestServer } from '../../../support/server/server.ts'
import { expect, test } from '../../fixtures.ts'
import { FilesPage } from '../../pages/FilesPage.ts'
import { LoginPage } from '../../pages/LoginPage.ts'
import { Prompt } from '../../pages/Prompt.ts'
import { PASSWORD } from '../../users.ts'

/** Adds a user who may use `/way/open` only. */
async function addRuledUser({ url, username, password, scope }: TestServer): Promise<string> {
  const name = `eve ${username}`
  const admin = await signIn(url, username, password)
  const rule = (path: string, allow: boolean) => ({ path, allow, regex: false, regexp: null })
  const rules = [rule('/', false), rule('/way/open', true)]
  const perm = permissionsOf('create', 'rename', 'modify', 'delete', 'download')
  const answer = await admin.call('POST', API.users, {
    what: 'user',
    which: [],
    current_password: password,
    data: { username: name, password: PASSWORD, scope, perm, rules },
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return name
}

test('nothing is moved into a folder that only leads to an allowed one', async ({
  server,
  browser,
}) => {
  mkdirSync(join(server.root, 'way/open/inner'), { recursive: true })
  writeFileSync(join(server.root, 'way/open/a.txt'), 'a')
  const username = await addRuledUser(server)
  const page = await (await browser.newContext()).newPage()
  const login = new LoginPage(page)
  await login.open()
  await login.logIn(username, PASSWORD)
  const files = new FilesPage(page)
  await expect(files.status).toBeVisible()
  await files.open('/way')
  await files.shows('open')
  await expect(files.action('New folder')).toBeHidden()
  await files.open('/way/open')
  await files.shows('inner', 'a.txt')

  await files.dragOver(files.handle('a.txt'), files.breadcrumbs.getByRole('link', { name: 'way' }))
  await expect(page.locator('[data-drop-target]')).toHaveCount(0)
  await page.mouse.up()
  await files.shows('inner', 'a.txt')
  expect(existsSync(join(server.root, 'way/a.txt'))).toBe(false)

  await files.choose('a.txt', 'Move')
  const prompt = new Prompt(page)
  const move = prompt.button('Move here')
  await prompt.card.getByRole('button', { name: 'way' }).click()
  await expect(prompt.card).toContainText('You cannot put anything into “way”.')
  await expect(move).toBeDisabled()
  await expect(prompt.button('New folder')).toBeDisabled()
  await prompt.folder('open').click()
  await expect(prompt.card).not.toContainText('You cannot put anything')
  await expect(prompt.card).toContainText('It is in “open” already')
})

test('what an archive does not contain is named when it was downloaded', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'box'))
  writeFileSync(join(server.root, 'box/a.txt'), 'a')
  symlinkSync('nowhere', join(server.root, 'box/lost'))
  symlinkSync('/etc/hostname', join(server.root, 'box/outside'))
  await files.openRoot()
  await files.select('box')
  const download = page.waitForEvent('download')
  await files.action('Download').click()
  await download
  await expect(files.toasts).toContainText('2 items could not be downloaded: outside and lost')
})
