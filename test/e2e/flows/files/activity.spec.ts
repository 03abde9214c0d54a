import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import { SHARE_PASSWORD_HEADER } from '#wire/api/share.ts'
import { LIMITS } from '#wire/limits.ts'
import { PDF } from '../../../support/files/documents.ts'
import { type Client, signIn } from '../../../support/server/client.ts'
import type { TestServer } from '../../../support/server/server.ts'
import { expect, test } from '../../fixtures.ts'
import { SettingsPage } from '../../pages/SettingsPage.ts'
import { PASSWORD } from '../../users.ts'

test.use({ ownServer: true })

/** Signs the administrator in without the page. */
function signInAdmin(server: TestServer): Promise<Client> {
  return signIn(server.url, server.username, server.password)
}

async function download(client: Client, path: string): Promise<void> {
  await (await client.call('GET', API.raw + path)).body?.cancel()
}

test('the activity page lists logins, downloads and renames, and links paths only of acts that succeeded @spec-10.12', async ({
  page,
  files,
  server,
  activity,
}) => {
  await files.openRoot()
  mkdirSync(join(server.root, 'docs'))
  writeFileSync(join(server.root, 'docs', 'a b.txt'), 'hello')
  await files.shows('docs')
  const admin = await signInAdmin(server)
  await download(admin, '/docs/a%20b.txt')
  await admin.call(
    'PATCH',
    `${API.resources}/docs/a%20b.txt?action=rename&destination=${encodeURIComponent('/docs/c.txt')}`,
  )
  await download(admin, '/nothing')
  await signIn(server.url, 'mallory', 'guess').catch(() => undefined)

  await new SettingsPage(page).entry.click()
  await new SettingsPage(page).menu.getByRole('link', { name: 'Activity' }).click()
  await expect(page).toHaveTitle('Activity - filemgr')
  await expect(activity.records.nth(0)).toContainText(
    /Login failed.*Wrong username or password.*mallory/,
  )
  await expect(activity.records.nth(1)).toContainText(/Downloaded \/nothing.*Not found.*admin/)
  await expect(activity.records.nth(2)).toContainText(
    'Renamed or moved /docs/a b.txt → /docs/c.txt',
  )
  await expect(activity.records.nth(3)).toContainText(
    /Downloaded \/docs\/a b\.txt.*127\.0\.0\.1.*5 B/,
  )
  await expect(activity.records.nth(3).getByRole('time')).toHaveText(/^\d\d?:\d\d/)
  await expect(page.getByRole('list', { name: 'Today' }).getByRole('listitem')).not.toHaveCount(0)
  await expect(activity.records.nth(2).getByRole('link')).toHaveText('/docs/c.txt')
  await expect(activity.records.nth(1).getByRole('link')).toHaveCount(0)
  await activity.records.nth(2).getByRole('link').click()
  await expect(page).toHaveURL(/\/files\/docs\/c\.txt$/)
})

test('the filter is part of the URL and survives a reload @spec-10.12', async ({
  page,
  server,
  activity,
}) => {
  await new SettingsPage(page).create('ana', PASSWORD, server.password)
  writeFileSync(join(server.root, 'one.txt'), '1')
  writeFileSync(join(server.root, 'two.txt'), '2')
  const admin = await signInAdmin(server)
  const ana = await signIn(server.url, 'ana', PASSWORD)
  await download(admin, '/one.txt')
  await download(ana, '/one.txt')
  await download(ana, '/two.txt')

  await activity.open()
  await activity.filter('Action').selectOption('download')
  await expect(activity.records).toHaveCount(3)
  await activity.filter('User').selectOption('ana')
  await expect(activity.records).toHaveCount(2)
  await activity.filter('Path contains').fill('two')
  await expect(activity.records).toHaveCount(1)
  await expect(page).toHaveURL(/\?username=ana&action=download&path=two$/)
  await page.reload()
  await expect(activity.records).toHaveCount(1)
  await expect(activity.records).toContainText('/two.txt')
  await activity.filter('Until').fill('2020-01-01')
  await expect(page.getByText('No entries match')).toBeVisible()
  await page.getByRole('button', { name: 'Show everything' }).click()
  await expect(activity.records.nth(3)).toBeVisible()
  await expect(activity.filter('Path contains')).toHaveValue('')
})

test('a user sees their own records, with paths of their own scope', async ({
  files,
  server,
  login,
  settings,
  activity,
}) => {
  await files.openRoot()
  mkdirSync(join(server.root, 'home'))
  writeFileSync(join(server.root, 'home', 'mine.txt'), 'x')
  await files.shows('home')
  await settings.open('users/new')
  await settings.field('Username').fill('ana')
  await settings.field('Password').first().fill(PASSWORD)
  await settings.field('Folder').fill('/home')
  await settings.button('Create user').click()
  await settings.confirm(server.password)
  await expect(settings.toasts).toContainText('User created')
  await download(await signInAdmin(server), '/home/mine.txt')
  await download(await signIn(server.url, 'ana', PASSWORD), '/mine.txt')
  await files.sidebar('Log out').click()
  await login.logIn('ana', PASSWORD)
  await files.shows('mine.txt')

  await activity.open('?action=download')
  await expect(activity.records).toHaveText([/^Downloaded \/mine\.txt/])
  await expect(activity.filter('User')).toBeHidden()
})

test('a visit names the visitor, the link and the path from the root, below the name of the day', async ({
  server,
  activity,
  page,
}) => {
  mkdirSync(join(server.root, 'Pictures/2024-06 Lofoten'), { recursive: true })
  writeFileSync(join(server.root, 'Pictures/2024-06 Lofoten/reine.jpg'), 'x')
  const admin = await signInAdmin(server)
  const url = `${API.share}/Pictures/2024-06%20Lofoten/`
  const share = await (await admin.call('POST', url, {})).json()
  const closed = await (
    await admin.call('POST', url, { password: 'a long secret', expires: '1', unit: 'days' })
  ).json()
  await fetch(`${server.url}${API.publicDownload}/${share.hash}/reine.jpg`)
  await fetch(`${server.url}${API.publicShare}/${closed.hash}/`)
  await activity.open()
  const asked = activity.records.nth(0)
  await expect(asked).toContainText('Password of a link asked for')
  await expect(asked).not.toHaveAttribute('data-refused')
  const visit = activity.records.nth(1)
  await expect(visit).toContainText('Visitor · link to “2024-06 Lofoten” · 127.0.0.1')
  await expect(visit.getByRole('link')).toHaveText('/Pictures/2024-06 Lofoten/reine.jpg')
  await expect(page.getByRole('list', { name: 'Today' })).toContainText('Downloaded by link')
  const wrong = { [SHARE_PASSWORD_HEADER]: 'a guess' }
  await fetch(`${server.url}${API.publicShare}/${closed.hash}/`, { headers: wrong })
  await fetch(`${server.url}${API.publicShare}/neverExisted/`)
  await activity.open()
  await expect(activity.records.nth(0)).toContainText('Visitor · unknown link neverExisted')
  await expect(activity.records.nth(1)).toContainText(/Link opened.*Wrong password/)
})

test('older records are loaded page by page', async ({ server, activity }) => {
  const admin = await signInAdmin(server)
  for (let at = 0; at < LIMITS.auditPage + 5; at += 1) await download(admin, `/none-${at}`)
  await activity.open()
  await expect(activity.records).toHaveCount(LIMITS.auditPage)
  await activity.more.click()
  await expect(activity.more).toBeHidden()
  await expect(activity.records.nth(LIMITS.auditPage + 4)).toContainText('/none-0')
  await expect(activity.records.nth(LIMITS.auditPage)).toContainText('/none-4')
})

test('all records that match the filter are downloaded as a file @spec-10.12', async ({
  server,
  activity,
}) => {
  const admin = await signInAdmin(server)
  await download(admin, '/none')
  await activity.open('?action=download')
  await expect(activity.records).toHaveCount(1)
  const csv = await activity.save('CSV')
  const [head, row] = readFileSync(csv, 'utf8').split('\r\n')
  expect(head).toMatch(/^id,time,username/)
  expect(row).toMatch(/,admin,.*,download,\/none,/)
  const lines = readFileSync(await activity.save('JSON lines'), 'utf8')
    .trim()
    .split('\n')
  // Each line is one record.
  expect(lines.map((line) => (JSON.parse(line) as AuditEntry).path)).toEqual(['/none'])
})

test('an error is shown if the records cannot be loaded, and they can be loaded again', async ({
  page,
  activity,
}) => {
  await page.route('**/api/audit*', (route) => route.fulfill({ status: 500 }), { times: 1 })
  await page.goto('./settings/activity')
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(activity.records.first()).toContainText('Logged in')
})

test('a file that a viewer shows is recorded as opened, not as downloaded', async ({
  page,
  server,
  activity,
}) => {
  writeFileSync(join(server.root, 'a.csv'), 'name,sum\none,1\n')
  writeFileSync(join(server.root, 'b.pdf'), PDF)
  await page.goto('./files/a.csv')
  await expect(page.getByRole('cell', { name: 'one' })).toBeVisible()
  await page.goto('./files/b.pdf')
  await expect(page.getByText('Good morning')).toBeVisible()
  await activity.open('?action=open')
  await expect(activity.records).toHaveText([/^Opened \/b\.pdf/, /^Opened \/a\.csv/])
})

test('a refused login is not called a login', async ({ page, server, activity }) => {
  const data = { username: 'admin', password: 'wrong' }
  const answer = await page.request.post(`${server.url}${API.login}`, { data })
  expect(answer.status()).toBe(403)
  await activity.open('?action=signIn')
  await expect(activity.records.first()).toHaveText(/^Logged in/)
  await activity.filter('Action').selectOption('Login failed')
  await expect(page).toHaveURL(/\?action=signInFailed$/)
  await expect(activity.records).toHaveText([/^Login failed Wrong username or password/])
})

test('a change is undone by keyboard from its row, and the row is marked @spec-2.35', async ({
  server,
  activity,
}) => {
  const admin = await signInAdmin(server)
  await admin.call('POST', `${API.resources}/made.txt`, 'x')
  await download(admin, '/made.txt')
  await activity.open()
  await expect(activity.records.nth(0)).toContainText('Downloaded /made.txt')
  await expect(activity.records.nth(0).getByRole('button')).toBeHidden()
  await activity.records
    .nth(1)
    .getByRole('button', { name: 'Undo: Uploaded /made.txt' })
    .press('Enter')
  await expect(activity.records.nth(0)).toContainText('Undone /made.txt')
  await expect(activity.records.nth(2)).toContainText(/Uploaded \/made\.txt.*Undone/)
  await expect(activity.records.nth(2).getByRole('button')).toBeHidden()
  expect(existsSync(join(server.root, 'made.txt'))).toBe(false)
})

test('an administrator undoes all changes of a user since a given time, after a preview @spec-2.35', async ({
  server,
  settings,
  activity,
}) => {
  await settings.create('ana', PASSWORD, server.password)
  const ana = await signIn(server.url, 'ana', PASSWORD)
  await ana.call('POST', `${API.resources}/one.txt`, '1')
  await ana.call('POST', `${API.resources}/two.txt`, '2')
  writeFileSync(join(server.root, 'two.txt'), 'of somebody else')
  await activity.open('?username=ana')
  await settings.button('Undo all…').click()
  await expect(settings.prompt.card.getByLabel('User')).toHaveValue('ana')
  await expect(settings.prompt.card).toContainText('1 change can be undone.')
  await expect(settings.prompt.card).toContainText('Cannot be undone')
  expect(existsSync(join(server.root, 'one.txt'))).toBe(true)
  await settings.prompt.button('Undo 1 change').press('Enter')
  await expect(settings.toasts).toContainText('1 change undone')
  expect(existsSync(join(server.root, 'one.txt'))).toBe(false)
  expect(readFileSync(join(server.root, 'two.txt'), 'utf8')).toBe('of somebody else')
})

test('an administrator undoes the changes of one of two sessions of a user @spec-2.35', async ({
  server,
  settings,
  activity,
}) => {
  await settings.create('ana', PASSWORD, server.password)
  for (const name of ['first', 'second']) {
    const session = await signIn(server.url, 'ana', PASSWORD)
    await session.call('POST', `${API.resources}/${name}.txt`, name)
  }
  await activity.open('?username=ana')
  await settings.button('Undo all…').click()
  await expect(settings.prompt.card).toContainText('2 changes can be undone.')
  // The first option is all sessions, the second is the newest session.
  await settings.prompt.card.getByLabel('Session').selectOption({ index: 1 })
  await expect(settings.prompt.card).toContainText('1 change can be undone.')
  await settings.prompt.button('Undo 1 change').press('Enter')
  await expect(settings.toasts).toContainText('1 change undone')
  expect(existsSync(join(server.root, 'second.txt'))).toBe(false)
  expect(existsSync(join(server.root, 'first.txt'))).toBe(true)
})

test('a deletion offers Undo until it is permanent, and then says why not; no link leads to what is gone', async ({
  page,
  files,
  server,
  activity,
}) => {
  await files.openRoot()
  const admin = await signInAdmin(server)
  await admin.call('POST', `${API.resources}/gone.txt`, 'x')
  await admin.call('DELETE', `${API.resources}/gone.txt`)
  await activity.open()
  await expect(activity.records.nth(0)).toContainText('Deleted /gone.txt')
  await expect(activity.records.nth(0).getByRole('button', { name: /^Undo/ })).toBeVisible()
  await expect(activity.records.nth(1)).toContainText('Uploaded /gone.txt')
  await expect(activity.records.nth(1).getByRole('link')).toHaveCount(0)

  await admin.call('DELETE', `${API.trash}?all=true`)
  await page.reload()
  await expect(activity.records.nth(0)).toContainText('Deleted permanently /gone.txt')
  await expect(activity.records.nth(0).getByRole('link')).toHaveCount(0)
  await expect(activity.records.nth(1)).toContainText('the content is no longer in the trash')
  await expect(activity.records.nth(1).getByRole('button')).toHaveCount(0)
})
