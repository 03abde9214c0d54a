/** Large copies and removals show a plan first, then run as jobs that every device shows. */
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { LIMITS } from '#wire/limits.ts'
import { signIn } from '../../../support/server/client.ts'
import { writeEndless } from '../../../support/server/endless.ts'
import { started } from '../../../support/server/jobs.ts'
import { expect, test } from '../../fixtures.ts'
import { FilesPage } from '../../pages/FilesPage.ts'
import { JobsPanel } from '../../pages/JobsPanel.ts'
import { LoginPage } from '../../pages/LoginPage.ts'

/** Creates a folder with files `f0`, `f1`, …; the content of each is its number. */
function fill(root: string, folder: string, count: number): void {
  mkdirSync(join(root, folder), { recursive: true })
  for (let at = 0; at < count; at += 1) writeFileSync(join(root, folder, `f${at}`), `${at}`)
}

test('a large copy shows its plan, runs as a job, and is undone, all by keyboard @spec-2.46', async ({
  files,
  page,
  server,
}) => {
  fill(server.root, 'big', 210)
  mkdirSync(join(server.root, 'there'))
  await files.openRoot()
  await files.select('big')
  await page.keyboard.press('ControlOrMeta+c')
  await files.row('there').dblclick()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+v')
  await expect(files.prompt.card).toContainText('Copy “big” to “there”?')
  await expect(files.prompt.card).toContainText('210')
  await expect(files.prompt.card).toContainText('Free space')
  await expect(files.prompt.button('Cancel')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const panel = new JobsPanel(page)
  await panel.says('1 job finished')
  await panel.says('Copy big to there')
  await files.shows('big')
  expect(readdirSync(join(server.root, 'there/big'))).toHaveLength(210)
  await expect(page.getByText('big copied to there')).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await files.shows()
  expect(existsSync(join(server.root, 'there/big'))).toBe(false)
  await expect(files.toasts).toContainText('Undone: big copied to there')
  await expect(panel.card).toBeHidden()
})

test('a large deletion goes to the trash at once, and its card follows an undo @spec-2.46', async ({
  files,
  page,
  server,
}) => {
  fill(server.root, 'big', 210)
  await files.openRoot()
  await files.select('big')
  await page.keyboard.press('Delete')
  const panel = new JobsPanel(page)
  await panel.says('1 job finished')
  await files.shows()
  await expect(files.toasts).toContainText('big moved to the trash')
  expect(existsSync(join(server.root, 'big'))).toBe(false)
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows('big')
  await expect(files.row('big')).toHaveAttribute('aria-selected', 'true')
  await expect(files.toasts).toContainText('Undone: big moved to the trash')
  expect(readdirSync(join(server.root, 'big'))).toHaveLength(210)
  await expect(panel.card).toBeHidden()
})

test('more items than one job has are deleted by several jobs, and are not copied', async ({
  files,
  page,
  server,
}) => {
  fill(server.root, 'many', LIMITS.jobItemsMax + 300)
  const selectAll = async () => {
    await expect(files.status).toContainText('10,300 files')
    await page.keyboard.press('ControlOrMeta+a')
    await expect(files.status).toContainText('10,300 selected')
  }
  await files.open('many')
  await selectAll()
  await page.keyboard.press('ControlOrMeta+c')
  await files.goHome()
  await files.shows('many')
  await page.keyboard.press('ControlOrMeta+v')
  await expect(files.toasts).toContainText('Select at most 10,000 items at a time.')
  await files.row('many').dblclick()
  await selectAll()
  // The real deletion of so many files takes minutes on a slow disk.
  const started: number[] = []
  await page.route(`**${API.jobs}`, (route) => {
    const { plan, items = [] } = route.request().postDataJSON() ?? {}
    if (plan === undefined) return route.continue()
    started.push(items.length)
    return route.fulfill({ json: { id: started.length } })
  })
  await page.keyboard.press('Delete')
  await expect.poll(() => started).toEqual([LIMITS.jobItemsMax, 300])
})

test.describe('without a trash', () => {
  test.use({ serverArgs: ['--trash-except', '/scratch'] })

  test('a large deletion shows its plan and deletes nothing without confirmation @spec-2.46', async ({
    files,
    page,
    server,
  }) => {
    const scratch = join(server.root, 'scratch')
    fill(server.root, 'scratch/big', 210)
    await files.open('scratch')
    await files.select('big')
    await page.keyboard.press('Delete')
    await expect(files.prompt.card).toContainText('Delete “big”?')
    await expect(files.prompt.card).toContainText('Everything is deleted permanently')
    await expect(files.prompt.card).toContainText('210')
    await page.keyboard.press('Enter')
    await expect(files.prompt.card).toBeHidden()
    expect(existsSync(join(scratch, 'big'))).toBe(true)
    await page.keyboard.press('Delete')
    await expect(files.prompt.card).toContainText('210')
    writeFileSync(join(scratch, 'big', 'another'), '')
    await files.prompt.button('Delete').click()
    await expect(files.prompt.card).toContainText('The files have changed.')
    await expect(files.prompt.card).toContainText('211')
    expect(existsSync(join(scratch, 'big'))).toBe(true)
    await files.prompt.button('Delete').click()
    await new JobsPanel(page).says('1 job finished')
    expect(existsSync(join(scratch, 'big'))).toBe(false)
    await expect(files.toasts.getByRole('button', { name: 'Undo', exact: true })).toBeHidden()
  })
})

test('a small folder is copied at once, without a job @spec-2.46', async ({
  files,
  page,
  server,
}) => {
  fill(server.root, 'small', 3)
  mkdirSync(join(server.root, 'there'))
  await files.openRoot()
  await files.select('small')
  await page.keyboard.press('ControlOrMeta+c')
  await files.row('there').dblclick()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+v')
  await files.shows('small')
  await expect(new JobsPanel(page).card).toBeHidden()
})

test('another device shows a job, pauses it and resumes it after the tab that started it is closed @spec-2.38', async ({
  browser,
  files,
  page,
  server,
  baseURL,
}) => {
  mkdirSync(join(server.root, 'big'))
  writeEndless(join(server.root, 'big/zeros'))
  await files.openRoot()
  const context = await browser.newContext(baseURL ? { baseURL } : {})
  const other = await context.newPage()
  const login = new LoginPage(other)
  await login.open()
  await login.logIn(server.username, server.password)
  await new FilesPage(other).shows('big')
  // Jobs are shown on every page, also if it is not a folder.
  await other.getByRole('link', { name: 'Settings' }).click()
  await expect(other).toHaveURL(/settings/)
  const panel = new JobsPanel(other)
  await files.row('big').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Write checksums' }).click()
  await files.prompt.button('Write').click()
  await panel.button(/^Pause/).click()
  await panel.says('Paused')
  await new JobsPanel(page).says('Paused')
  await page.close()
  expect(existsSync(join(server.root, 'big/SHA256SUMS'))).toBe(false)
  truncateSync(join(server.root, 'big/zeros'), 1)
  await panel.button(/^Resume/).click()
  await panel.says('1 job finished')
  expect(existsSync(join(server.root, 'big/SHA256SUMS'))).toBe(true)
  await context.close()
})

test('failed items of a job are retried @spec-2.38', async ({ page, server, files }) => {
  await files.openRoot()
  fill(server.root, 'from', 1)
  fill(server.root, 'to', 1)
  const client = await signIn(server.url, server.username, server.password)
  await started(client, { kind: 'copy', items: [{ path: '/from/f0' }], to: '/to' })
  await page.reload()
  await expect(files.status).toBeVisible()
  const panel = new JobsPanel(page)
  await panel.says('Something with this name is already there.')
  rmSync(join(server.root, 'to/f0'))
  await panel.button('Try again: f0').click()
  await panel.says('1 job finished')
  expect(existsSync(join(server.root, 'to/f0'))).toBe(true)
})

test('checksums of a folder are written and verified from its menu @spec-2.44', async ({
  files,
  page,
  server,
}) => {
  fill(server.root, 'sums', 3)
  await files.openRoot()
  const panel = new JobsPanel(page)
  const choose = async (name: string) => {
    await files.row('sums').click({ button: 'right' })
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Write checksums')
  await panel.says('Write checksums of sums')
  await panel.says('1 job finished')
  expect(readdirSync(join(server.root, 'sums'))).toContain('SHA256SUMS')
  writeFileSync(join(server.root, 'sums/f1'), 'another content')
  await choose('Verify checksums')
  await panel.says('Compare sums with its checksums')
  await panel.says('The content does not match the checksum.')
})
