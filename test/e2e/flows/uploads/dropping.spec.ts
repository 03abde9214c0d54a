import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { expect, test } from '../../fixtures.ts'
import { FileDrag } from '../../pages/FileDrag.ts'

/** A file, and a folder with another file and an empty folder in it, on the user's computer. */
function makeDesktop() {
  const desktop = temporaryFolder()
  mkdirSync(join(desktop.path, 'trip/plans'), { recursive: true })
  mkdirSync(join(desktop.path, 'trip/empty'))
  writeFileSync(join(desktop.path, 'note #1.txt'), 'note')
  writeFileSync(join(desktop.path, 'trip/plans/route.gpx'), 'route')
  return {
    ...desktop,
    dragged: ['note #1.txt', 'trip'].map((name) => join(desktop.path, name)),
  }
}

test('files and folders dropped on the page are uploaded to its folder @spec-2.28', async ({
  files,
  server,
  uploads,
  page,
}) => {
  const desktop = makeDesktop()
  writeFileSync(join(server.root, 'here'), '')
  await files.openRoot()
  const drag = new FileDrag(page, desktop.dragged)
  await drag.over(files.status)
  await expect(page.getByText('Drop to upload to “My files”')).toBeVisible()
  await drag.drop()
  await expect(uploads.card).toContainText('2 files uploaded')
  await files.shows('trip', 'here', 'note #1.txt')
  expect(readFileSync(join(server.root, 'note #1.txt'), 'utf8')).toBe('note')
  expect(readFileSync(join(server.root, 'trip/plans/route.gpx'), 'utf8')).toBe('route')
  await expect(page.getByText('Drop to upload')).toBeHidden()
  await files.open('/trip')
  await files.shows('empty', 'plans')
  desktop.remove()
})

test('files dropped on a folder are uploaded to that folder @spec-2.28', async ({
  files,
  server,
  uploads,
  page,
}) => {
  const desktop = makeDesktop()
  mkdirSync(join(server.root, 'to'))
  writeFileSync(join(server.root, 'beside'), '')
  await files.openRoot()
  const drag = new FileDrag(page, desktop.dragged)
  await drag.over(files.row('beside'))
  await expect(page.getByText('Drop to upload to “My files”')).toBeVisible()
  await drag.over(files.row('to'))
  await expect(page.getByText('Drop to upload to “to”')).toBeVisible()
  await drag.drop()
  await expect(uploads.card).toContainText('2 files uploaded')
  await files.shows('to', 'beside')
  expect(readFileSync(join(server.root, 'to/trip/plans/route.gpx'), 'utf8')).toBe('route')
  desktop.remove()
})

test('entries are dimmed while files are dragged, except for the drop target @spec-2.28', async ({
  files,
  server,
  page,
}) => {
  const desktop = makeDesktop()
  mkdirSync(join(server.root, 'to'))
  writeFileSync(join(server.root, 'beside'), '')
  await files.openRoot()
  const icon = (name: string) => files.row(name).locator('svg').first()
  await expect(icon('to')).toHaveCSS('opacity', '1')
  const drag = new FileDrag(page, desktop.dragged)
  await drag.over(files.status)
  await expect(icon('to')).toHaveCSS('opacity', '0.45')
  await expect(icon('beside')).toHaveCSS('opacity', '0.45')
  await drag.over(files.row('to'))
  await expect(icon('to')).toHaveCSS('opacity', '1')
  await expect(icon('beside')).toHaveCSS('opacity', '0.45')
  await drag.leave()
  await expect(icon('beside')).toHaveCSS('opacity', '1')
  desktop.remove()
})

test('files dropped on a breadcrumb are uploaded to that folder', async ({
  files,
  server,
  uploads,
  page,
}) => {
  const desktop = makeDesktop()
  mkdirSync(join(server.root, 'one/two'), { recursive: true })
  await files.open('/one/two')
  await expect(page.getByText('This folder is empty')).toBeVisible()
  const drag = new FileDrag(page, desktop.dragged)
  await drag.over(files.breadcrumbs.getByRole('link', { name: 'one' }))
  await drag.drop()
  await expect(uploads.card).toContainText('2 files uploaded')
  expect(readFileSync(join(server.root, 'one/note #1.txt'), 'utf8')).toBe('note')
  desktop.remove()
})

test('a drag that leaves the page leaves no marks on it', async ({ files, page, uploads }) => {
  await files.openRoot()
  const desktop = makeDesktop()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  const drag = new FileDrag(page, desktop.dragged)
  await drag.over(files.status)
  await expect(page.getByText('Drop to upload to “My files”')).toBeVisible()
  await drag.leave()
  await expect(page.getByText('Drop to upload')).toBeHidden()
  await expect(uploads.card).toBeHidden()
  desktop.remove()
})

test('nothing can be dropped while a dialog is open', async ({ files, page, uploads }) => {
  await files.openRoot()
  const desktop = makeDesktop()
  await files.sidebar('New folder').click()
  await expect(files.prompt.card).toBeVisible()
  const drag = new FileDrag(page, desktop.dragged)
  await drag.over(files.prompt.card)
  await drag.drop()
  await expect(uploads.card).toBeHidden()
  await files.prompt.button('Cancel').click()
  await expect(files.prompt.card).toBeHidden()
  // Only what is dropped after the dialog is uploaded.
  const later = new FileDrag(page, desktop.dragged.slice(0, 1))
  await later.over(files.status)
  await later.drop()
  await expect(uploads.card).toContainText('1 file uploaded')
  await files.shows('note #1.txt')
  desktop.remove()
})
