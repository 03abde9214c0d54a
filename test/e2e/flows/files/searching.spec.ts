/** The finder: files and folders, commands, settings and users. */
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gate } from '../../../support/storage/gate.ts'
import { test as base, expect } from '../../fixtures.ts'
import { SearchBox } from '../../pages/SearchBox.ts'
import { addUser } from '../../users.ts'

const test = base.extend<{ search: SearchBox }>({
  search: async ({ page }, use) => {
    await use(new SearchBox(page))
  },
})

const OLD = new Date('2020-03-01')

test.beforeEach(({ server }) => {
  for (const folder of ['docs/fjord pictures', 'docs/a#b%', 'many']) {
    mkdirSync(join(server.root, folder), { recursive: true })
  }
  const files = ['my fjord.txt', 'docs/fjord.jpg', 'docs/a#b%/fjord.mp3', 'docs/fjord.PDF', 'x.jpg']
  for (const file of files) {
    writeFileSync(join(server.root, file), 'x')
    utimesSync(join(server.root, file), OLD, OLD)
  }
  for (let at = 0; at < 20; at += 1) writeFileSync(join(server.root, 'many', `note ${at}.txt`), '')
})

/** Paths of the results, in their order. */
async function found(search: SearchBox): Promise<(string | null)[]> {
  return search.results.evaluateAll((all) => all.map((one) => one.getAttribute('title')))
}

test('the finder shows the best matches first while the user types, with size and date @spec-2.36', async ({
  files,
  search,
  page,
}) => {
  await files.open('/docs')
  await search.open()
  await search.find('FJORD')
  expect(await found(search)).toEqual([
    '/docs/fjord pictures',
    '/docs/fjord.PDF',
    '/docs/fjord.jpg',
    '/docs/a#b%/fjord.mp3',
    '/my fjord.txt',
  ])
  await expect(search.results.last()).toContainText('1 B')
  await expect(search.results.last()).toContainText('2020')
  await expect(search.results.first()).toHaveAttribute('href', '/files/docs/fjord%20pictures/')
  await search.results.filter({ hasText: 'fjord.mp3' }).click()
  await expect(search.card).toBeHidden()
  await expect(page).toHaveURL(/\/files\/docs\/a%23b%25\/fjord\.mp3$/)
  await page.goBack()
  await search.open()
  await expect(search.field).toHaveValue('FJORD')
  await expect(search.results).toHaveCount(5)
})

test('the words that were found are marked in the name and in the path', async ({
  files,
  search,
}) => {
  await files.openRoot()
  await search.open()
  await search.find('docs mp3')
  await expect(search.results.first().locator('mark')).toHaveText(['mp3', 'docs'])
})

test('chips and words narrow the search, and it can be limited to the folder @spec-2.36', async ({
  files,
  search,
}) => {
  await files.open('/docs')
  await search.open()
  await search.chip('Pictures').click()
  await expect(search.field).toHaveValue('type:image ')
  await expect(search.field).toBeFocused()
  await expect.poll(() => found(search)).toEqual(['/docs/fjord.jpg', '/x.jpg'])
  await search.button(/^Searching in all files/).click()
  await expect.poll(() => found(search)).toEqual(['/docs/fjord.jpg'])
  await search.chip('Pictures').click()
  await search.field.fill('my')
  await expect(search.card).toContainText('No results in “docs”.')
  await search.button('Search all files').last().click()
  await expect.poll(() => found(search)).toEqual(['/my fjord.txt'])
  await search.field.fill('fjord in:docs type:pdf before:2021')
  await expect.poll(() => found(search)).toEqual(['/docs/fjord.PDF'])
  await search.field.fill('fjord after:2021 type:pdf')
  await expect(search.card).toContainText('No results.')
})

test('the finder is operated by keyboard alone: open, all groups, a result, and back @spec-2.36', async ({
  files,
  search,
  page,
}) => {
  await files.openRoot()
  await files.select('x.jpg')
  await page.keyboard.press('/')
  await expect(search.field).toBeFocused()
  await page.keyboard.type('fjord')
  await expect(search.results).toHaveCount(5)
  await expect(search.chosen).toContainText('fjord')
  const first = await search.chosen.getAttribute('title')
  await page.keyboard.press('ArrowDown')
  await expect(search.chosen).not.toHaveAttribute('title', first ?? '')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(search.card.getByRole('option').last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(search.card).toBeHidden()
  await expect(files.grid).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Shift+f')
  await expect(search.field).toBeFocused()
  // Enter opens the result of the typed text, even before the response arrives.
  await page.keyboard.type('x.jpg')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/files\/x\.jpg$/)
  await expect(search.card).toBeHidden()
})

test('the finder offers available actions and runs them @spec-2.36', async ({
  files,
  search,
  page,
  server,
}) => {
  await files.openRoot()
  await expect(files.row('x.jpg')).toBeVisible()
  await search.openByKeys()
  await expect(search.command('New folder')).toBeVisible()
  await expect(search.command('Delete')).toBeHidden()
  await page.keyboard.press('Escape')
  await files.select('x.jpg')
  await search.openByKeys()
  await page.keyboard.type('delete')
  await expect(search.chosen).toContainText('Delete')
  await page.keyboard.press('Enter')
  await expect(search.card).toBeHidden()
  await expect.poll(() => existsSync(join(server.root, 'x.jpg'))).toBe(false)
})

test.describe('with other users', () => {
  test.use({ ownServer: true })

  test('the finder finds settings, users, and commands beside many files @spec-2.36', async ({
    files,
    search,
    page,
    server,
  }) => {
    await files.openRoot()
    const nina = await addUser(server, 'Noteworthy Nina')
    await expect(files.row('many')).toBeVisible()
    await search.openByKeys()
    await search.find('note')
    await expect(search.results).toHaveCount(9)
    await expect(search.group('Users')).toHaveText([nina])
    await search.results.filter({ hasText: 'Show all 20' }).click()
    await expect(search.results).toHaveCount(20)
    await search.group('Users').click()
    await expect(page).toHaveURL(/\/settings\/users\/2$/)
    await search.openByKeys()
    await search.field.fill('settings users')
    await search.command('Settings: Users').click()
    await expect(page).toHaveURL(/\/settings\/users$/)
    await search.openByKeys()
    await expect(search.command('New folder')).toBeHidden()
  })
})

test('a command that was chosen before the files arrive is the one that Enter runs', async ({
  files,
  search,
  page,
  server,
}) => {
  for (const at of [1, 2, 3]) writeFileSync(join(server.root, `new ${at}.txt`), '')
  await files.open('/')
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/find/**', async (route) => {
    await released
    await route.continue()
  })
  await search.open()
  await search.field.fill('new')
  await expect(search.command('New folder')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(search.command('New file')).toHaveAttribute('aria-selected', 'true')
  release()
  await expect(search.results).toHaveCount(3)
  await expect(search.chosen).toHaveCount(1)
  await expect(search.chosen).toContainText('New file')
  await page.keyboard.press('Enter')
  await expect(files.prompt.card).toContainText('New file')
})

test('nothing is called found while the search runs', async ({ files, search, page }) => {
  await files.open('/')
  const [names, contents] = [gate(), gate()]
  await page.route(/\/api\/find/, async (route) => {
    await (route.request().url().includes('/api/find-text/') ? contents : names).opened
    await route.continue()
  })
  await search.open()
  await search.field.fill('nothing has this name')
  await expect(search.status).toContainText('Searching…')
  names.open()
  await expect(search.status).not.toContainText('found')
  contents.open()
  await expect(search.status).toContainText('0 found')
  await expect(search.status).not.toContainText('Searching…')
})

test('a command changes the theme', async ({ files, search, page }) => {
  await files.open('/')
  await search.open()
  await search.field.fill('dark theme')
  await search.command('Theme: Dark').click()
  await expect(search.card).toBeHidden()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('the finder opens from a text field, and the focus returns to it', async ({
  files,
  search,
  page,
}) => {
  await files.openRoot()
  await expect(files.row('x.jpg')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+f')
  const filter = page.getByRole('textbox', { name: 'Filter by name' })
  await filter.fill('a/')
  await search.openByKeys()
  await page.keyboard.press('Escape')
  await expect(filter).toBeFocused()
  await expect(filter).toHaveValue('a/')
})

test('a failed search shows an error and can be repeated', async ({ files, search, page }) => {
  await files.open('/')
  let fails = true
  await page.route('**/api/find/**', (route) => (fails ? route.abort() : route.continue()))
  await search.open()
  await search.field.fill('fjord')
  await expect(search.card.getByRole('alert')).toContainText('The server cannot be reached')
  fails = false
  await search.button('Try again').click()
  await expect(search.results).toHaveCount(5)
})

test('the finder finds words inside text files after the names, and opens the file @spec-2.36', async ({
  files,
  search,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'docs/letter.txt'), 'Dear Anna,\nthe lighthouse keeper writes\n')
  await files.open('/docs')
  await search.open()
  await search.field.fill('lighthouse keep')
  const inside = search.group('Inside files')
  await expect(inside).toHaveCount(1)
  await expect(inside).toContainText('the lighthouse keeper writes')
  // The folder tells files with the same name apart.
  await expect(inside).toContainText('letter.txtdocs')
  await expect(search.results).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/files\/docs\/letter\.txt$/)
})

test('a command that is active while results are selected is not announced as selected', async ({
  files,
  search,
  server,
}) => {
  writeFileSync(join(server.root, 'new.txt'), '')
  await files.open('/')
  await search.open()
  await search.find('new')
  await search.result('/new.txt').getByTitle('Select new.txt').click()
  await expect(search.selection).toContainText('1 selected')
  const id = await search.command('New folder').getAttribute('id')
  await search.field.press('ArrowDown')
  await expect(search.field).toHaveAttribute('aria-activedescendant', id ?? '')
  await expect(search.chosen).toHaveCount(1)
  await expect(search.result('/new.txt')).toHaveAttribute('aria-selected', 'true')
})

test('results are selected, downloaded, moved and deleted, while the finder stays open @spec-2.36', async ({
  files,
  search,
  page,
  server,
}) => {
  await files.open('/docs')
  await search.open()
  await search.find('fjord')
  const jpg = '/docs/fjord.jpg'
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+Space')
  await expect(search.selection).toContainText('1 selected')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(search.selection).toContainText('2 selected')
  await expect(search.result(jpg)).toHaveAttribute('aria-selected', 'true')
  const download = page.waitForEvent('download')
  await search.selection.getByRole('button', { name: 'Download', exact: true }).click()
  expect((await download).suggestedFilename()).toBe('_docs.zip')
  await expect(search.selection).toContainText('2 selected')
  await search.field.press('Escape')
  await expect(search.selection).toBeHidden()
  await expect(search.field).toHaveValue('fjord')

  // The box before a name selects too. Results of several folders move together.
  await search.result(jpg).getByTitle('Select fjord.jpg').click()
  await search.result('/my fjord.txt').getByTitle('Select my fjord.txt').click()
  await search.selection.getByRole('button', { name: 'Move to…' }).click()
  await files.prompt.card.getByText('many', { exact: true }).dblclick()
  await files.prompt.button('Move here').click()
  await expect(search.result('/many/fjord.jpg')).toBeVisible()
  await expect(search.result('/many/my fjord.txt')).toBeVisible()
  expect(existsSync(join(server.root, 'many', 'my fjord.txt'))).toBe(true)
  expect(existsSync(join(server.root, 'docs', 'fjord.jpg'))).toBe(false)
  await expect(page).toHaveURL(/\/files\/docs\/$/)

  // Their common folder is a destination too.
  await search.result('/many/fjord.jpg').getByTitle('Select fjord.jpg').click()
  await search.result('/docs/fjord.PDF').getByTitle('Select fjord.PDF').click()
  await search.selection.getByRole('button', { name: 'Move to…' }).click()
  await files.prompt.button('Move here').click()
  await expect(search.result('/fjord.jpg')).toBeVisible()
  await expect(search.result('/fjord.PDF')).toBeVisible()

  await search.result('/fjord.PDF').hover()
  await search.result('/fjord.PDF').getByTitle('More for fjord.PDF').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(search.result('/fjord.PDF')).toBeHidden()
  expect(existsSync(join(server.root, 'fjord.PDF'))).toBe(false)

  await search.result('/many/my fjord.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Show in folder' }).click()
  await expect(search.card).toBeHidden()
  await expect(page).toHaveURL(/\/files\/many\/$/)
  await expect(files.row('my fjord.txt')).toHaveAttribute('aria-selected', 'true')
})

test('the finder lists often opened files earlier @spec-2.36', async ({ files, search, page }) => {
  await files.open('/docs')
  await search.open()
  await search.find('fjord')
  await expect.poll(async () => (await found(search)).indexOf('/docs/fjord.jpg')).toBe(2)
  for (const time of [1, 2]) {
    await page.goto('./files/docs/fjord.jpg')
    await expect(page.getByRole('heading', { name: 'fjord.jpg' })).toBeVisible()
    const counted = () => page.evaluate(() => localStorage.getItem('filemgr.uses'))
    await expect.poll(counted).toContain(`fjord.jpg",${time}]`)
    await files.open('/many')
    await expect(files.row('note 1.txt')).toBeVisible()
  }
  await files.open('/docs')
  await search.open()
  await search.find('fjord')
  await expect.poll(async () => (await found(search)).indexOf('/docs/fjord.jpg')).toBe(0)
})

test('all results appear as the list is scrolled, and their number is honest from the start', async ({
  files,
  search,
  server,
}) => {
  mkdirSync(join(server.root, 'leaves'))
  for (let at = 0; at < 130; at += 1) writeFileSync(join(server.root, `leaves/leaf ${at}.txt`), '')
  await files.openRoot()
  await search.open()
  await search.find('leaf')
  await expect(search.status).toContainText('130 found')
  await expect(search.results).toHaveCount(50)
  await expect(async () => {
    await search.results.last().scrollIntoViewIfNeeded()
    await expect(search.results).toHaveCount(130, { timeout: 500 })
  }).toPass()
  expect(new Set(await found(search)).size).toBe(130)
  await expect(search.status).toContainText('130 found')
})

test('a name is found with a typing mistake, if nothing has the typed words', async ({
  files,
  search,
}) => {
  await files.openRoot()
  await search.open()
  for (const text of ['fjrod', 'fjotd', 'fjodr pictures', 'fjorrd']) {
    await search.field.fill(text)
    await expect(search.result('/docs/fjord pictures')).toBeVisible()
  }
  await search.find('x.jpg')
  expect(await found(search)).toEqual(['/x.jpg'])
})

test('until something is typed, the files that were used last come first', async ({
  files,
  search,
  page,
}) => {
  await files.openRoot()
  await search.open()
  await expect(search.group('Commands').first()).toBeVisible()
  await expect(search.group('Recent')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await files.select('x.jpg')
  await page.keyboard.press('F2')
  await expect(files.prompt.field).toBeFocused()
  await page.keyboard.type('harbour')
  await page.keyboard.press('Enter')
  await expect(files.row('harbour.jpg')).toBeVisible()
  await search.open()
  await expect(search.group('Recent')).toContainText(['harbour.jpg'])
  await expect(search.chosen).toContainText('harbour.jpg')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/harbour\.jpg$/)
})

test('Space shows the chosen result over the finder, and the finder stays as it was', async ({
  files,
  search,
  page,
}) => {
  const look = page.getByRole('dialog', { name: /^Quick look/ })
  await files.openRoot()
  await search.open()
  await search.field.pressSequentially('my fjord')
  await expect(search.results).toHaveCount(1)
  await expect(search.field).toHaveValue('my fjord')
  await search.find('note')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const third = await search.chosen.getAttribute('title')
  await page.keyboard.press('Space')
  await expect(look).toBeVisible()
  await expect(look.getByTitle(third?.split('/').at(-1) ?? '', { exact: true })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(look.getByTitle(third?.split('/').at(-1) ?? '', { exact: true })).toBeHidden()
  await page.keyboard.press('Space')
  await expect(look).toBeHidden()
  await expect(search.field).toBeFocused()
  await expect(search.field).toHaveValue('note')
  await expect(search.results.nth(3)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(search.card).toBeHidden()
})

test.describe('in German', () => {
  test.use({ locale: 'de-DE' })

  test('the conditions of a search are typed in the language of the user', async ({
    files,
    page,
  }) => {
    await files.open('/docs')
    await expect(page.getByTitle('fjord.jpg', { exact: true })).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    const card = page.getByRole('dialog', { name: 'Suche' })
    await expect(card).toContainText('größer:10MB')
    await page.keyboard.type('typ:bilder fjord')
    await expect(card.getByTitle('/docs/fjord.jpg')).toBeVisible()
    await expect(card.getByTitle('/docs/fjord.PDF')).toBeHidden()
    await expect(card.getByRole('button', { name: 'Bilder', pressed: true })).toBeVisible()
  })
})
