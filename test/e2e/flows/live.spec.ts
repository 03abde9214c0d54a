import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/routes.ts'
import { signIn } from '../../support/client.ts'
import { expect, test } from '../fixtures.ts'

test('what others do shows by itself, and the selection stays', async ({ files, server }) => {
  const other = await signIn(server.url, 'admin', server.password)
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

test('the folder that is opened next is followed, the one that was left is not asked for', async ({
  files,
  server,
  page,
}) => {
  mkdirSync(join(server.root, 'sub'))
  await files.row('sub').dblclick()
  await expect(page).toHaveURL(/\/files\/sub\/$/)
  const lines = page.waitForResponse((answer) => answer.url().includes('/api/events/'))
  await page.reload()
  expect((await lines).url()).toContain('/api/events/sub/')
  writeFileSync(join(server.root, 'sub', 'new.txt'), 'x')
  await files.shows('new.txt')
})

test('what comes after the folder is read and before its line is open shows too', async ({
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
  await page.reload()
  await expect(files.status).toBeVisible()
  writeFileSync(join(server.root, 'between.txt'), 'x')
  open()
  await files.shows('between.txt')
})

test('a server that tells nothing is asked when the window is looked at again', async ({
  files,
  server,
  page,
}) => {
  await page.route('**/api/events/**', (route) => route.fulfill({ status: 503 }))
  await page.reload()
  await expect(files.status).toBeVisible()
  writeFileSync(join(server.root, 'later.txt'), 'x')
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await files.shows('later.txt')
})
