/** Archives are extracted and made in the listing. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tarOf, zipOf } from '../../../support/files/made-archives.ts'
import { expect, test } from '../../fixtures.ts'
import { JobsPanel } from '../../pages/JobsPanel.ts'

test('an archive is extracted into a new folder, and the extraction is undone @spec-2.42', async ({
  files,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'pack.tar'), tarOf({ name: 'a', content: 'a' }, { name: 'b' }))
  await files.openRoot()
  await files.row('pack.tar').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Extract…' }).click()
  await expect(files.prompt.card).toContainText('Extract “pack.tar”?')
  await files.prompt.button('Extract into a folder').click()
  const panel = new JobsPanel(page)
  await panel.says('1 job finished')
  await panel.says('Extract pack.tar to pack')
  await files.shows('pack', 'pack.tar')
  expect(readdirSync(join(server.root, 'pack')).sort()).toEqual(['a', 'b'])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await files.shows('pack.tar')
  expect(existsSync(join(server.root, 'pack'))).toBe(false)
})

test('extraction asks about existing names and shows skipped files before it begins @spec-2.42', async ({
  files,
  page,
  server,
}) => {
  const hostile = { name: '../out', content: 'x' }
  writeFileSync(join(server.root, 'pack.zip'), zipOf({ name: 'a.txt', content: 'new' }, hostile))
  writeFileSync(join(server.root, 'a.txt'), 'old')
  await files.openRoot()
  await files.row('pack.zip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Extract…' }).click()
  await files.prompt.button('Extract here').click()
  await expect(files.prompt.card).toContainText('1 file of “pack.zip” is already there')
  await files.prompt.button('Keep both').click()
  await expect(files.prompt.card).toContainText('../out')
  await expect(files.prompt.card).toContainText('This name leads outside the folder.')
  await files.prompt.button(/^Extract$/).click()
  await files.shows('a.txt', 'a(1).txt', 'pack.zip')
  expect(readFileSync(join(server.root, 'a(1).txt'), 'utf8')).toBe('new')
  const panel = new JobsPanel(page)
  await panel.says('1 job with problems')
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows('a.txt', 'pack.zip')
  await expect(panel.card).toBeHidden()
})

test('selected entries are compressed into an archive in the folder @spec-2.45', async ({
  files,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'a.txt'), 'a')
  await files.openRoot()
  await files.row('a.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Compress…' }).click()
  await expect(files.prompt.card).toContainText('Compress “a.txt”')
  await files.prompt.card.getByRole('radio', { name: /^\.tar\.gz/ }).check()
  await files.prompt.button(/^Compress$/).click()
  await files.shows('a.txt', 'a.txt.tar.gz')
  await expect(page.getByText('a.txt.tar.gz created')).toBeVisible()
})
