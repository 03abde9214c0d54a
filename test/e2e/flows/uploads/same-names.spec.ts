import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { expect, test } from '../../fixtures.ts'
import { FileDrag } from '../../pages/FileDrag.ts'

/** Files of one name with different content, each in a folder of its own, on the user's computer. */
function makeTwins(name: string, contents: readonly string[]) {
  const desktop = temporaryFolder()
  const paths = contents.map((content, index) => {
    mkdirSync(join(desktop.path, `${index}`))
    writeFileSync(join(desktop.path, `${index}`, name), content)
    return join(desktop.path, `${index}`, name)
  })
  return { paths, remove: () => desktop.remove() }
}

/** The texts of all files in a folder, sorted. */
function textsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(folder, name), 'utf8'))
    .sort()
}

test('photos of one name in one selection are all uploaded, without a question', async ({
  files,
  server,
  uploads,
}) => {
  const twins = makeTwins('image.jpg', ['first', 'second', 'third'])
  await files.openRoot()
  await files.upload('Files', twins.paths)
  await expect(uploads.card).toContainText('3 files uploaded')
  await files.shows('image.jpg', 'image(1).jpg', 'image(2).jpg')
  expect(textsIn(server.root)).toEqual(['first', 'second', 'third'])
  twins.remove()
})

test('of photos of one name, only one replaces the photo that is there', async ({
  files,
  server,
  uploads,
}) => {
  const twins = makeTwins('image.jpg', ['first', 'second', 'third'])
  writeFileSync(join(server.root, 'image.jpg'), 'of the server')
  await files.openRoot()
  await files.upload('Files', twins.paths)
  const { prompt } = files
  await expect(prompt.card).toContainText('3 files are already here')
  await expect(prompt.card).toContainText('do not replace each other')
  await expect(prompt.button('Replace 3 files')).toBeHidden()
  await expect(prompt.button('Keep both')).toBeFocused()
  await prompt.button('Replace file').click()
  await expect(uploads.card).toContainText('3 files uploaded')
  await files.shows('image.jpg', 'image(1).jpg', 'image(2).jpg')
  expect(textsIn(server.root)).toEqual(['first', 'second', 'third'])
  twins.remove()
})

test('one by one, only the first of several files of one name may replace', async ({
  files,
  server,
  uploads,
}) => {
  const twins = makeTwins('image.jpg', ['first', 'second'])
  writeFileSync(join(server.root, 'image.jpg'), 'of the server')
  await files.openRoot()
  await files.upload('Files', twins.paths)
  const { prompt } = files
  await prompt.button('Decide one by one').click()
  const choices = prompt.card.getByRole('combobox', { name: 'What to do with image.jpg' })
  await expect(choices).toHaveCount(2)
  await expect(choices.nth(0).getByRole('option', { name: 'Replace' })).toHaveCount(1)
  await expect(choices.nth(1).getByRole('option', { name: 'Replace' })).toHaveCount(0)
  await choices.nth(0).selectOption('Skip')
  await choices.nth(1).selectOption('Keep both')
  await prompt.button('Continue').click()
  await expect(uploads.card).toContainText('1 file uploaded')
  expect(textsIn(server.root)).toEqual(['of the server', 'second'])
  twins.remove()
})

test('a name in the other Unicode form is the same name in a selection', async ({
  files,
  server,
  uploads,
}) => {
  const composed = makeTwins('Übung.txt'.normalize('NFC'), ['composed'])
  const decomposed = makeTwins('Übung.txt'.normalize('NFD'), ['decomposed'])
  await files.openRoot()
  await files.upload('Files', [...composed.paths, ...decomposed.paths])
  await expect(uploads.card).toContainText('2 files uploaded')
  const names = async () => (await files.names()).map((name) => name.normalize('NFC')).sort()
  await expect.poll(names).toEqual(['Übung(1).txt', 'Übung.txt'])
  expect(textsIn(server.root)).toEqual(['composed', 'decomposed'])
  composed.remove()
  decomposed.remove()
})

test('two folders of one name in one drop arrive both', async ({
  files,
  server,
  uploads,
  page,
}) => {
  const desktop = temporaryFolder()
  for (const side of ['left', 'right']) {
    mkdirSync(join(desktop.path, side, 'trip'), { recursive: true })
    writeFileSync(join(desktop.path, side, 'trip/note.txt'), side)
  }
  await files.openRoot()
  const drag = new FileDrag(page, [
    join(desktop.path, 'left/trip'),
    join(desktop.path, 'right/trip'),
  ])
  await drag.over(files.status)
  await drag.drop()
  await expect(uploads.card).toContainText('2 files uploaded')
  // Chromium gives the second folder a name of its own.
  await files.shows('trip', 'trip (1)')
  expect(['trip', 'trip (1)'].flatMap((name) => textsIn(join(server.root, name)))).toEqual([
    'left',
    'right',
  ])
  desktop.remove()
})

test('a second drop of a name that is still being sent asks, and does not replace', async ({
  files,
  server,
  uploads,
  page,
}) => {
  const twins = makeTwins('image.jpg', ['first', 'second'])
  let sendFirst = () => {}
  const maySend = new Promise<void>((resolve) => {
    sendFirst = resolve
  })
  await page.route('**/api/resources/image.jpg*', async (route) => {
    if (route.request().method() === 'POST') await maySend
    await route.continue()
  })
  await files.openRoot()
  for (const path of twins.paths) {
    const drag = new FileDrag(page, [path])
    await drag.over(files.status)
    await drag.drop()
    if (path === twins.paths[0]) await expect(uploads.card).toContainText('Uploading')
  }
  const { prompt } = files
  await expect(prompt.card).toContainText('“image.jpg” is already here')
  await expect(prompt.button(/^Replace/)).toBeHidden()
  await expect(prompt.button('Keep both')).toBeFocused()
  await prompt.button('Keep both').click()
  sendFirst()
  await expect(uploads.card).toContainText('2 files uploaded')
  await files.shows('image.jpg', 'image(1).jpg')
  expect(readFileSync(join(server.root, 'image.jpg'), 'utf8')).toBe('first')
  expect(readFileSync(join(server.root, 'image(1).jpg'), 'utf8')).toBe('second')
  twins.remove()
})

test.describe('in German', () => {
  test.use({ locale: 'de-DE' })

  test('the long buttons of the question are whole', async ({ files, page, server }) => {
    const twins = makeTwins('image.jpg', ['first'])
    const more = makeTwins('photo.jpg', ['second'])
    for (const name of ['image.jpg', 'photo.jpg'])
      writeFileSync(join(server.root, name), 'of the server')
    await page.goto('./files/')
    await expect(page.getByText('photo.jpg')).toBeVisible()
    const drag = new FileDrag(page, [...twins.paths, ...more.paths])
    await drag.over(page.getByRole('main'))
    await drag.drop()
    const { prompt } = files
    await expect(prompt.card).toContainText('2 Dateien sind hier bereits vorhanden')
    const names = ['Abbrechen', 'Diese 2 überspringen', 'Beide behalten', '2 Dateien ersetzen']
    for (const name of names) await expect(prompt.button(name)).toBeInViewport({ ratio: 1 })
    twins.remove()
    more.remove()
  })
})
