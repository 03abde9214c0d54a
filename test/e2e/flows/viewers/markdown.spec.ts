/** Rendered Markdown: links to sections, properties, footnotes, and check boxes that are saved. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { expect, test } from '../../fixtures.ts'

const LONG = `${'A line of the text.\n\n'.repeat(120)}`

test('a link leads to a section of another file, also from a copied address and on a share', async ({
  opened,
  page,
  server,
  admin,
}) => {
  mkdirSync(join(server.root, 'notes'))
  writeFileSync(join(server.root, 'notes/a.md'), '[there](b.md#the-part)\n')
  writeFileSync(
    join(server.root, 'notes/b.md'),
    `[down](#the-part)\n\n${LONG}\n\n## The part\n\nEnd\n\n[up](#top)\n\n${LONG}`,
  )
  await opened.open('/notes/a.md')
  await page.getByRole('link', { name: 'there' }).click()
  const heading = page.getByRole('heading', { name: 'The part' })
  await expect(heading).toBeInViewport()
  await expect(page).toHaveURL(/\/notes\/b\.md#the-part$/)
  await page.reload()
  await expect(heading).toBeInViewport()
  // In the text, the address follows, and so does the way back.
  await page.goto('./files/notes/b.md')
  await expect(page.getByRole('link', { name: 'down' })).toBeInViewport()
  await expect(heading).not.toBeInViewport()
  await page.getByRole('link', { name: 'down' }).press('Enter')
  await expect(heading).toBeInViewport()
  await expect(page).toHaveURL(/\/notes\/b\.md#the-part$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/notes\/b\.md$/)
  await expect(page.getByRole('link', { name: 'down' })).toBeInViewport()
  await page.goForward()
  await expect(heading).toBeInViewport()
  // The link of a text below its folder names the text.
  writeFileSync(join(server.root, 'notes/README.md'), '[down](#end)\n\n# End\n')
  await page.goto('./files/notes/')
  await expect(page.getByRole('link', { name: 'down' })).toHaveAttribute(
    'href',
    '/files/notes/README.md#end',
  )
  const { hash } = (await (await admin.call('POST', `${API.share}/notes/`, {})).json()) as Share
  await page.goto(`./share/${hash}/a.md`)
  await page.getByRole('link', { name: 'there' }).click()
  await expect(heading).toBeInViewport()
})

test('properties are a table and footnotes lead there and back', async ({
  opened,
  page,
  server,
}) => {
  writeFileSync(
    join(server.root, 'a.md'),
    `---\ntitle: A day\ntags: [sea, north]\n---\n\nA claim[^1].\n\n${LONG}\n\n[^1]: The proof.\n`,
  )
  await opened.open('/a.md')
  await expect(page.getByRole('row', { name: 'tags sea, north' })).toBeVisible()
  await page.getByRole('link', { name: '1', exact: true }).click()
  const note = page.getByRole('listitem').filter({ hasText: 'The proof.' })
  await expect(note).toBeInViewport()
  await note.getByRole('link').click()
  await expect(page.getByText('A claim1.')).toBeInViewport()
})

test('a check box is saved, by mouse and by keyboard, and Undo brings back the text', async ({
  opened,
  page,
  server,
}) => {
  const path = join(server.root, 'a.md')
  const text = '# List\r\n\r\n- [ ] one\r\n- [x] two\r\n'
  writeFileSync(path, text)
  const onDisk = () => readFileSync(path, 'utf8')
  await opened.open('/a.md')
  const one = page.getByRole('checkbox', { name: 'one' })
  const two = page.getByRole('checkbox', { name: 'two' })
  await one.click()
  await expect(one).toBeChecked()
  await expect.poll(onDisk).toBe(text.replace('[ ] one', '[x] one'))
  await two.focus()
  await page.keyboard.press('Space')
  await expect(two).not.toBeChecked()
  await expect(two).toBeFocused()
  await expect.poll(onDisk).toBe('# List\r\n\r\n- [x] one\r\n- [ ] two\r\n')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(two).toBeChecked()
  await expect.poll(onDisk).toBe(text.replace('[ ] one', '[x] one'))
})

test('a check box of a README below its folder is saved, and Undo brings back the text', async ({
  files,
  page,
  server,
}) => {
  const path = join(server.root, 'README.md')
  const text = '\ufeff# List\r\n\r\n- [ ] one\r\n- [x] two\r\n'
  writeFileSync(path, text)
  const onDisk = () => readFileSync(path, 'utf8')
  await files.openRoot()
  const readme = page.getByRole('region', { name: 'Text of README.md' })
  const one = readme.getByRole('checkbox', { name: 'one' })
  const two = readme.getByRole('checkbox', { name: 'two' })
  await one.click()
  await expect(one).toBeChecked()
  await expect.poll(onDisk).toBe(text.replace('[ ] one', '[x] one'))
  await two.focus()
  await page.keyboard.press('Space')
  await expect(two).not.toBeChecked()
  await expect(two).toBeFocused()
  await expect.poll(onDisk).toBe('\ufeff# List\r\n\r\n- [x] one\r\n- [ ] two\r\n')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(two).toBeChecked()
  await expect.poll(onDisk).toBe(text.replace('[ ] one', '[x] one'))
})
