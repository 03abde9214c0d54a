/** Earlier versions of a file: compared, downloaded and restored. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { signIn } from '../../../support/server/client.ts'
import type { TestServer } from '../../../support/server/server.ts'
import { test as base, expect } from '../../fixtures.ts'
import type { FilesPage } from '../../pages/FilesPage.ts'

/** A file that was saved twice: the contents of its earlier versions begin with `one` and `two`. */
const test = base.extend<{ saved: string }>({
  saved: async ({ files, server }, use) => {
    const path = join(server.root, 'plan.txt')
    writeFileSync(path, 'one\nsame\n')
    await save(server, 'two\nsame\n')
    await save(server, 'three\nsame\n')
    await files.openRoot()
    await files.shows('plan.txt')
    await use(path)
  },
})

async function save(server: TestServer, text: string): Promise<void> {
  const admin = await signIn(server.url, server.username, server.password)
  const answer = await admin.call('PUT', `${API.resources}/plan.txt`, text)
  expect(answer.status).toBe(200)
}

const versionsOf = (files: FilesPage) =>
  files.details.getByRole('list').getByRole('listitem').filter({ hasText: 'then changed by ' })

test('a version is compared and restored by keyboard alone, and that is undone @spec-2.34', async ({
  files,
  page,
  saved,
}) => {
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Alt+Enter')
  await expect(versionsOf(files)).toHaveCount(2)
  const compare = versionsOf(files)
    .first()
    .getByRole('button', { name: /^Compare/ })
  await compare.focus()
  await page.keyboard.press('Enter')
  await expect(files.prompt.card).toContainText('Earlier version of “plan.txt”')
  const changed = files.prompt.card.getByRole('row').nth(1).getByRole('cell')
  await expect(changed).toHaveText(['two', 'three'])
  await expect(files.prompt.button('Close')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(files.toasts).toContainText('plan.txt restored to the version of')
  expect(readFileSync(saved, 'utf8')).toBe('two\nsame\n')
  await expect(versionsOf(files)).toHaveCount(2)
  await files.toasts.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(files.toasts).toContainText('Undone')
  expect(readFileSync(saved, 'utf8')).toBe('three\nsame\n')
})

test('a version is downloaded, and restored at once @spec-2.34', async ({ files, page, saved }) => {
  await files.select('plan.txt')
  await files.action('Details').click()
  const coming = page.waitForEvent('download')
  await versionsOf(files)
    .last()
    .getByRole('button', { name: /^Download/ })
    .click()
  const file = await (await coming).path()
  expect(readFileSync(file, 'utf8')).toBe('one\nsame\n')
  await versionsOf(files)
    .last()
    .getByRole('button', { name: /^Restore/ })
    .click()
  await expect(files.toasts).toContainText('plan.txt restored to the version of')
  expect(readFileSync(saved, 'utf8')).toBe('one\nsame\n')
})

test('a file without earlier versions shows no versions @spec-2.34', async ({
  files,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'new.txt'), 'new')
  await files.openRoot()
  await files.select('new.txt')
  const asked = page.waitForResponse((answer) => answer.url().includes(API.versions))
  await files.action('Details').click()
  await asked
  await expect(files.details).toContainText('new.txt')
  await expect(files.details.getByText('Earlier versions')).toBeHidden()
})
