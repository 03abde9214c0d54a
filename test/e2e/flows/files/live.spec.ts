import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import type { User } from '#wire/api/user.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { signIn } from '../../../support/server/client.ts'
import { expect, test } from '../../fixtures.ts'
import { pathOf, requestsAfterReload } from '../../requests.ts'
import { addUser, PASSWORD } from '../../users.ts'

test('changes by other users appear without a reload, and the selection stays @spec-10.1', async ({
  files,
  server,
}) => {
  await files.openRoot()
  const other = await signIn(server.url, server.username, server.password)
  await other.call('POST', `${API.resources}/mine.txt`, 'x')
  await files.shows('mine.txt')
  await files.select('mine.txt')
  await other.call('POST', `${API.resources}/theirs.txt`, 'x')
  await files.shows('mine.txt', 'theirs.txt')
  await expect(files.row('mine.txt')).toHaveAttribute('aria-selected', 'true')
  writeFileSync(join(server.root, 'on the disk.txt'), 'x')
  await files.shows('mine.txt', 'on the disk.txt', 'theirs.txt')
  rmSync(join(server.root, 'mine.txt'))
  renameSync(join(server.root, 'theirs.txt'), join(server.root, 'renamed.txt'))
  await files.shows('on the disk.txt', 'renamed.txt')
})

for (const view of ['List', 'Grid'] as const) {
  test(`new and removed entries above leave the entries in view in their place, in the view ${view}`, async ({
    files,
    server,
  }) => {
    for (let index = 100; index < 300; index += 1)
      writeFileSync(join(server.root, `m${index}.txt`), '')
    await files.openRoot()
    await files.showAs(view)
    const entryOf = (name: string) => (view === 'List' ? files.row(name) : files.tile(name))
    const entry = entryOf('m200.txt')
    await expect(entryOf('m100.txt')).toBeVisible()
    await files.grid.evaluate((grid) => {
      grid.scrollTop = (grid.scrollHeight - grid.clientHeight) / 2
    })
    await expect(entry).toBeVisible()
    const top = async () => Math.round((await entry.boundingBox())?.y ?? -1)
    const before = await top()
    // As many as fill whole rows of tiles.
    for (let index = 0; index < 60; index += 1)
      writeFileSync(join(server.root, `a${index}.txt`), '')
    await expect(files.status).toContainText('260 files')
    expect(await top()).toBe(before)
    for (let index = 0; index < 60; index += 1) rmSync(join(server.root, `a${index}.txt`))
    await expect(files.status).toContainText('200 files')
    expect(await top()).toBe(before)
    await files.grid.evaluate((grid) => grid.scrollTo(0, 0))
    writeFileSync(join(server.root, 'a.txt'), '')
    await expect(entryOf('a.txt')).toBeInViewport({ ratio: 1 })
  })
}

test('the event stream follows the folder that is open, and not the previous one', async ({
  files,
  server,
  page,
}) => {
  await files.openRoot()
  mkdirSync(join(server.root, 'sub'))
  await files.row('sub').dblclick()
  await expect(page).toHaveURL(/\/files\/sub\/$/)
  const streams = await requestsAfterReload(page, (request) =>
    pathOf(request).startsWith('/api/events/'),
  )
  await expect.poll(() => streams.map(pathOf)).toEqual(['/api/events/sub/'])
  writeFileSync(join(server.root, 'sub', 'new.txt'), 'x')
  await files.shows('new.txt')
})

test('a change between the loading of the folder and the start of its event stream appears', async ({
  files,
  server,
  page,
}) => {
  let open = () => {}
  const held = new Promise<void>((resolve) => {
    open = resolve
  })
  await page.route('**/api/events/**', async (route) => {
    await held
    await route.continue()
  })
  await files.openRoot()
  writeFileSync(join(server.root, 'between.txt'), 'x')
  open()
  await files.shows('between.txt')
})

test('a page that only waits says that its session has ended, and follows its folder after a login', async ({
  files,
  login,
  server,
  admin,
}) => {
  await files.openRoot()
  const name = await addUser(server, 'ana', 'create')
  await files.sidebar('Log out').click()
  await login.logIn(name, PASSWORD)
  await expect(files.status).toBeVisible()
  // The stream is open, and the page waits for events only.
  writeFileSync(join(server.root, 'earlier.txt'), 'x')
  await files.shows('earlier.txt')
  const users: User[] = await (await admin.call('GET', API.users)).json()
  const ana = users.find(({ username }) => username === name)
  const answer = await admin.call('PUT', `${API.users}/${ana?.id}`, {
    what: 'user',
    which: ['perm'],
    current_password: server.password,
    data: { ...ana, perm: permissionsOf() },
  })
  expect(answer.status).toBe(200)
  await expect(files.prompt.card).toContainText('Your session has ended')
  await files.prompt.card.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await files.prompt.button('Log in').click()
  await expect(files.prompt.card).toBeHidden()
  await expect(files.sidebar('New folder')).toBeHidden()
  writeFileSync(join(server.root, 'later.txt'), 'x')
  await files.shows('earlier.txt', 'later.txt')
})

test('a server without an event stream is asked again when the window gets the focus', async ({
  files,
  server,
  page,
}) => {
  await page.route('**/api/events/**', (route) => route.fulfill({ status: 503 }))
  await files.openRoot()
  writeFileSync(join(server.root, 'later.txt'), 'x')
  // The page notices the missing event stream a moment after it is shown.
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    expect(await files.names()).toEqual(['later.txt'])
  }).toPass()
})

test('live updates continue after a proxy has answered the event stream with an error', async ({
  files,
  server,
  page,
}) => {
  await page.clock.install()
  const asked = page.waitForResponse((response) => response.status() === 502)
  await page.route('**/api/events/**', (route) => route.fulfill({ status: 502 }))
  await files.openRoot()
  await asked
  await page.unroute('**/api/events/**')
  await expect(async () => {
    const opened = page.waitForResponse(
      (response) => response.url().includes('/api/events/') && response.ok(),
      { timeout: 500 },
    )
    await page.clock.fastForward(60_000)
    await opened
  }).toPass()
  await page.clock.resume()
  writeFileSync(join(server.root, 'later.txt'), 'x')
  await files.shows('later.txt')
})
