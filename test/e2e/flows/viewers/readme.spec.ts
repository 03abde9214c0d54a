/** The README of a folder, below its listing. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'
import { addUser, PASSWORD } from '../../users.ts'

const TEXT =
  '# Rules of the cabin\n\nSee [the plan](plan.txt).\n\n<img src=x onerror="document.title=1">\n\n<script>document.title = 2</script>\n'

test.beforeEach(({ server }) => {
  mkdirSync(join(server.root, 'cabin'))
  mkdirSync(join(server.root, 'bare'))
  writeFileSync(join(server.root, 'cabin/ReadMe.md'), TEXT)
  writeFileSync(join(server.root, 'cabin/plan.txt'), 'x')
})

test('a README is rendered, runs no scripts, has working links, and follows changes of its file @spec-2.4', async ({
  files,
  page,
  server,
}) => {
  await files.open('/cabin')
  const readme = page.getByRole('region', { name: 'ReadMe.md', exact: true })
  await expect(readme.getByRole('heading', { name: 'Rules of the cabin' })).toBeVisible()
  await expect(page).toHaveTitle(/cabin/)
  await expect(readme.locator('script, [onerror]')).toHaveCount(0)
  writeFileSync(join(server.root, 'cabin/ReadMe.md'), '# New rules\n\n[the plan](plan.txt)')
  await expect(readme.getByRole('heading', { name: 'New rules' })).toBeVisible()
  await readme.getByRole('link', { name: 'the plan' }).click()
  await expect(page).toHaveURL(/\/cabin\/plan\.txt$/)
  await files.open('/bare')
  await expect(files.status).toBeVisible()
  await expect(readme).toBeHidden()
})

test('a README is closed by keyboard, in all folders and after a reload @spec-2.4', async ({
  files,
  page,
  server,
}) => {
  writeFileSync(join(server.root, 'bare/ReadMe.md'), TEXT)
  await files.open('/cabin')
  const readme = page.getByRole('region', { name: 'ReadMe.md', exact: true })
  const heading = readme.getByRole('heading', { name: 'Rules of the cabin' })
  await expect(heading).toBeVisible()
  await readme.getByRole('button', { name: 'Hide ReadMe.md' }).focus()
  await page.keyboard.press('Enter')
  await expect(heading).toBeHidden()
  for (const path of ['/cabin', '/bare']) {
    await files.open(path)
    await expect(readme.getByRole('button', { name: 'Show ReadMe.md' })).toBeVisible()
    await expect(heading).toBeHidden()
  }
  await readme.getByRole('button', { name: 'Show ReadMe.md' }).click()
  await expect(heading).toBeVisible()
})

test('a user without the download right sees no README @spec-2.4', async ({
  files,
  page,
  server,
  login,
}) => {
  await files.openRoot()
  const ana = await addUser(server, 'ana')
  await files.sidebar('Log out').click()
  await login.logIn(ana, PASSWORD)
  await expect(files.status).toBeVisible()
  await files.open('/cabin')
  await expect(files.row('ReadMe.md')).toBeVisible()
  await expect(page.getByRole('region', { name: 'ReadMe.md', exact: true })).toBeHidden()
})

test('a README is shown below a listing that is longer than the page', async ({
  files,
  page,
  server,
}) => {
  for (let number = 1; number <= 60; number += 1)
    writeFileSync(join(server.root, `cabin/key ${number}`), '')
  await files.open('/cabin')
  const readme = page.getByRole('region', { name: 'ReadMe.md', exact: true })
  const heading = readme.getByRole('heading', { name: 'Rules of the cabin' })
  await expect(heading).toBeInViewport()
})
