/** Changes are undone by the button of their message, and by keys. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import type { TestServer } from '../../../support/server/server.ts'
import { gate } from '../../../support/storage/gate.ts'
import { expect, test } from '../../fixtures.ts'
import { FilesPage } from '../../pages/FilesPage.ts'

/** Deletes `a.bin`, beside which `b.bin` stays. */
async function deleteOneOfTwo(files: FilesPage, server: TestServer): Promise<void> {
  for (const name of ['a.bin', 'b.bin']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  await files.delete('a.bin')
  await files.shows('b.bin')
}

test('a deletion is undone by the button of its message', async ({ files, page, server }) => {
  for (const name of ['a.bin', 'b.bin', 'c.bin']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  await files.shows('a.bin', 'b.bin', 'c.bin')
  await files.select('a.bin', 'b.bin')
  await page.keyboard.press('Delete')
  await files.shows('c.bin')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await files.shows('a.bin', 'b.bin', 'c.bin')
  await expect(files.toasts).toContainText('Undone: 2 items moved to the trash')
  for (const name of ['a.bin', 'b.bin'])
    await expect(files.row(name)).toHaveAttribute('aria-selected', 'true')
  expect(readFileSync(join(server.root, 'a.bin'), 'utf8')).toBe('a.bin')
})

test('Ctrl+Z undoes and Ctrl+Shift+Z redoes', async ({ files, page, server }) => {
  writeFileSync(join(server.root, 'a.bin'), 'a')
  mkdirSync(join(server.root, 'folder'))
  await files.openRoot()
  await files.shows('folder', 'a.bin')
  await files.delete('a.bin')
  await files.shows('folder')
  await expect(files.toasts).toContainText('a.bin moved to the trash')
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows('folder', 'a.bin')
  await expect(files.toasts).not.toContainText('a.bin moved to the trash')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await files.shows('folder')
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows('folder', 'a.bin')
})

test('the next key after an undo applies to what came back', async ({ files, page, server }) => {
  for (const name of ['a.bin', 'b.bin', 'c.bin']) writeFileSync(join(server.root, name), name)
  mkdirSync(join(server.root, 'folder'))
  await files.openRoot()
  await files.select('b.bin')
  await page.keyboard.press('F2')
  await files.prompt.field.fill('z.bin')
  await page.keyboard.press('Enter')
  await files.shows('folder', 'a.bin', 'c.bin', 'z.bin')
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows('folder', 'a.bin', 'b.bin', 'c.bin')
  await expect(files.toasts).toContainText('Undone: b.bin renamed to z.bin')
  await page.keyboard.press('Delete')
  await files.shows('folder', 'a.bin', 'c.bin')
  expect(existsSync(join(server.root, 'b.bin'))).toBe(false)
})

test('a deletion is undone in a viewer, which shows the file again', async ({
  files,
  opened,
  page,
  server,
}) => {
  for (const name of ['a.bin', 'b.bin', 'c.bin'])
    writeFileSync(join(server.root, name), Uint8Array.of(0, 1))
  await files.openRoot()
  await files.row('b.bin').dblclick()
  await opened.shows('b.bin')
  // Before the file is loaded, the key does nothing.
  await expect(page.getByRole('button', { name: 'Delete', exact: true })).toBeVisible()
  await page.keyboard.press('Delete')
  await opened.shows('c.bin')
  await page.keyboard.press('ControlOrMeta+z')
  await opened.shows('b.bin')
  expect(existsSync(join(server.root, 'b.bin'))).toBe(true)
  // The previous file of c.bin is b.bin again.
  await opened.turn('Next').click()
  await opened.shows('c.bin')
  await opened.turn('Previous').click()
  await opened.shows('b.bin')
})

test('a deletion is undone on another page, whose list follows', async ({
  files,
  page,
  server,
}) => {
  await deleteOneOfTwo(files, server)
  await page.getByRole('link', { name: 'Trash', exact: true }).first().click()
  const rows = page.getByRole('grid', { name: 'Trash' }).getByRole('rowheader')
  await expect(rows).toHaveCount(1)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByText('The trash is empty')).toBeVisible()
  expect(existsSync(join(server.root, 'a.bin'))).toBe(true)
})

test('in the editor, the keys of undo belong to the text', async ({ files, page, server }) => {
  for (const name of ['a.bin', 'b.txt']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  await files.delete('a.bin')
  await files.shows('b.txt')
  await files.row('b.txt').dblclick()
  const text = page.getByRole('textbox', { name: 'b.txt' })
  await text.click()
  await page.keyboard.type('new ')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(text).toHaveText('b.txt')
  expect(existsSync(join(server.root, 'a.bin'))).toBe(false)
})

test.describe('without a trash', () => {
  test.use({ serverArgs: ['--trash-except', '/scratch'] })

  test('only what is deleted permanently is asked about, and Enter deletes nothing', async ({
    files,
    page,
    server,
  }) => {
    mkdirSync(join(server.root, 'scratch'))
    for (const name of ['kept.bin', 'scratch/a.bin']) writeFileSync(join(server.root, name), name)
    await files.openRoot()
    await files.select('scratch', 'kept.bin')
    await page.keyboard.press('Delete')
    await expect(files.prompt.card).toContainText('Delete “scratch”?')
    await expect(files.prompt.card).toContainText('cannot be restored')
    await expect(files.prompt.card).not.toContainText('kept.bin')
    expect(existsSync(join(server.root, 'kept.bin'))).toBe(false)
    await page.keyboard.press('Enter')
    await expect(files.prompt.card).toBeHidden()
    await files.shows('scratch')
    await files.row('scratch').dblclick()
    await files.select('a.bin')
    await page.keyboard.press('Delete')
    await files.prompt.button('Delete permanently').click()
    await expect(page.getByText('This folder is empty')).toBeVisible()
    await expect(files.toasts).toContainText('a.bin deleted')
    // The last change that can be undone is the one of the other folder.
    await page.keyboard.press('ControlOrMeta+z')
    await expect(files.toasts).toContainText('Undone: kept.bin moved to the trash')
    expect(existsSync(join(server.root, 'kept.bin'))).toBe(true)
  })
})

test('entries that have changed since are not undone, and the message gives the reason', async ({
  files,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'a.bin'), 'a')
  await files.openRoot()
  await files.shows('a.bin')
  await files.delete('a.bin')
  await files.shows()
  writeFileSync(join(server.root, 'a.bin'), 'another')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  expect(readFileSync(join(server.root, 'a.bin'), 'utf8')).toBe('another')
})

test('a rename is undone, in the folder and on the page of the file @spec-2.35', async ({
  files,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'a.txt'), 'a')
  await files.openRoot()
  await files.select('a.txt')
  await page.keyboard.press('F2')
  await files.prompt.field.fill('b.txt')
  await page.keyboard.press('Enter')
  await files.shows('b.txt')
  await expect(files.toasts).toContainText('a.txt renamed to b.txt')
  await files.toasts.getByRole('button', { name: 'Undo', exact: true }).click()
  await files.shows('a.txt')
  await files.row('a.txt').dblclick()
  await expect(page).toHaveURL(/a\.txt$/)
  await page
    .getByRole('toolbar', { name: 'Actions' })
    .getByRole('button', { name: 'Rename' })
    .click()
  await files.prompt.field.fill('c.txt')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/c\.txt$/)
  await files.toasts.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page).toHaveURL(/a\.txt$/)
  await expect(page.getByRole('textbox', { name: 'a.txt' })).toBeVisible()
})

test('a saved text is undone, and the page shows the earlier text @spec-2.35', async ({
  files,
  page,
  server,
}) => {
  const path = join(server.root, 'a.txt')
  writeFileSync(path, 'before')
  await page.goto('./files/a.txt')
  await page.getByRole('textbox', { name: 'a.txt' }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('after')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(files.toasts).toContainText('a.txt saved')
  expect(readFileSync(path, 'utf8')).toBe('after')
  await files.toasts.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'a.txt' })).toContainText('before')
  expect(readFileSync(path, 'utf8')).toBe('before')
})

test('an upload is undone as one change, and a deletion during it separately @spec-2.35', async ({
  files,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'old.bin'), 'old')
  await files.openRoot()
  await files.shows('old.bin')
  const held: (() => Promise<void>)[] = []
  await page.route(/\/api\/(resources|tus)\/.*\.txt/, async (route) => {
    if (route.request().method() !== 'POST') await route.continue()
    else held.push(() => route.continue())
  })
  const picked = ['one.txt', 'two.txt'].map((name) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(name),
  }))
  const chooser = page.waitForEvent('filechooser')
  await files.uploadButton.click()
  await (await chooser).setFiles(picked)
  await expect(page.getByRole('region', { name: 'Uploads and jobs', exact: true })).toBeVisible()
  await files.select('old.bin')
  await page.keyboard.press('Delete')
  await expect(files.toasts).toContainText('old.bin moved to the trash')
  // The uploads are released only after the deletion.
  await files.shows()
  await expect.poll(() => held.length).toBe(2)
  for (const release of held) await release()
  await expect(files.toasts).toContainText('2 items uploaded')
  await files.shows('one.txt', 'two.txt')
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows()
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows('old.bin')
})

test('after the page is loaded again, all items of a change are undone and redone at once', async ({
  files,
  page,
  server,
}) => {
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  await files.select('a', 'b', 'c')
  await page.keyboard.press('Delete')
  await files.shows('d')
  await page.reload()
  await files.shows('d')
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows('a', 'b', 'c', 'd')
  await expect(files.toasts).toContainText('Undone: 3 items moved to the trash')
  await page.reload()
  await files.shows('a', 'b', 'c', 'd')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await files.shows('d')
  await page.reload()
  await files.shows('d')
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows('a', 'b', 'c', 'd')
})

test('an undo that a reload cuts off goes on where it stopped', async ({ files, page, server }) => {
  const names = Array.from({ length: 30 }, (_, at) => `f${at + 10}`)
  for (const name of [...names, 'kept']) writeFileSync(join(server.root, name), name)
  await files.openRoot()
  await files.select(...names)
  await page.keyboard.press('Delete')
  await files.shows('kept')
  let undone = 0
  const { opened, open } = gate()
  await page.route(`**${API.journal}/undo`, async (route) => {
    undone += 1
    if (undone > 10) await opened
    // The reload has ended the one that waits.
    await route.continue().catch(() => undefined)
  })
  await page.keyboard.press('ControlOrMeta+z')
  await expect(files.toasts).toContainText('Undoing… 10 of 30')
  page.on('dialog', (dialog) => dialog.accept())
  const reloaded = page.reload()
  open()
  await reloaded
  await expect(files.status).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows(...names, 'kept')
  await expect(files.toasts).toContainText('Undone: 30 items moved to the trash')
})

test('in another tab, Ctrl+Z undoes the last change and says which', async ({
  files,
  page,
  server,
}) => {
  await deleteOneOfTwo(files, server)
  const other = await page.context().newPage()
  const there = new FilesPage(other)
  await there.openRoot()
  await there.shows('b.bin')
  await other.keyboard.press('ControlOrMeta+z')
  await there.shows('a.bin', 'b.bin')
  await expect(there.toasts).toContainText('Undone: a.bin moved to the trash')
  await other.keyboard.press('ControlOrMeta+z')
  await expect(there.toasts).toContainText('There is nothing to undo.')
})

test('a redo is listed as such, can be undone there, and is the last change in another tab', async ({
  files,
  page,
  server,
}) => {
  await deleteOneOfTwo(files, server)
  await page.keyboard.press('ControlOrMeta+z')
  await files.shows('a.bin', 'b.bin')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await files.shows('b.bin')
  const other = await page.context().newPage()
  const there = new FilesPage(other)
  await there.openRoot()
  await other.keyboard.press('ControlOrMeta+z')
  await there.shows('a.bin', 'b.bin')
  await expect(there.toasts).toContainText('Undone: a.bin moved to the trash')
  await other.keyboard.press('ControlOrMeta+Shift+z')
  await there.shows('b.bin')
  await page.goto('./settings/activity')
  await page
    .getByRole('button', { name: /^Undo: Redone .*a\.bin$/ })
    .first()
    .click()
  await expect(files.toasts).toContainText('Undone')
  await files.openRoot()
  await files.shows('a.bin', 'b.bin')
})

test('Ctrl+Z during a deletion undoes it when it has ended', async ({ files, page, server }) => {
  for (const name of ['a.bin', 'b.bin']) writeFileSync(join(server.root, name), name)
  const { opened, open } = gate()
  await page.route(`**${API.resources}/a.bin*`, async (route) => {
    if (route.request().method() === 'DELETE') await opened
    await route.continue().catch(() => undefined)
  })
  await files.openRoot()
  await files.select('a.bin')
  const deletion = page.waitForRequest((request) => request.method() === 'DELETE')
  await page.keyboard.press('Delete')
  await deletion
  await page.keyboard.press('ControlOrMeta+z')
  open()
  await expect(files.toasts).toContainText('Undone: a.bin moved to the trash')
  await files.shows('a.bin', 'b.bin')
})
