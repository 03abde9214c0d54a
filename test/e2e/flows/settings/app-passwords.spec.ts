/** App passwords: made in the profile, shown once, used by a program, paused and removed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'

test.use({ ownServer: true })

test('an app password is made for a folder, works in a program, is paused and removed', async ({
  page,
  server,
  settings,
}) => {
  mkdirSync(join(server.root, 'frame'))
  writeFileSync(join(server.root, 'frame/a.txt'), 'a')
  await settings.open('profile')
  const group = page.getByRole('region', { name: 'App passwords' })
  await expect(group).toContainText('There are no app passwords.')
  await group.getByRole('button', { name: 'New app password' }).click()
  const form = page.getByRole('dialog', { name: 'New app password' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Photo frame')
  await form.getByRole('textbox', { name: 'Folder' }).fill('/nowhere')
  await form.getByRole('button', { name: 'Add' }).click()
  await settings.confirm(server.password)
  await expect(form.getByRole('alert')).toBeVisible()
  await form.getByRole('textbox', { name: 'Folder' }).fill('/frame')
  await form.getByRole('button', { name: 'Add' }).click()
  await settings.confirm(server.password)

  const shown = page.getByRole('dialog', { name: 'Photo frame' })
  await expect(shown).toContainText('Shown only now.')
  const password = (await shown.getByText(/^fm_/).innerText()).trim()
  await page.keyboard.press('Escape')

  const row = group.getByRole('listitem').filter({ hasText: 'Photo frame' })
  await expect(row).toContainText('/frame')
  await expect(row).toContainText('not used yet')
  await expect(row).not.toContainText(password)
  const list = (path: string) =>
    fetch(`${server.url}/api/resources${path}`, {
      headers: { Authorization: `Bearer ${password}` },
    })
  const listing = (await (await list('/')).json()) as { items: { name: string }[] }
  expect(listing.items.map(({ name }) => name)).toEqual(['a.txt'])

  await row.getByRole('button', { name: 'Pause: Photo frame' }).click()
  await expect(row).toContainText('Paused')
  await expect(row).toContainText('last used')
  expect((await list('/')).status).toBe(401)
  await row.getByRole('button', { name: 'Resume: Photo frame' }).click()
  await expect(row).not.toContainText('Paused')
  expect((await list('/')).status).toBe(200)

  await settings.open('users')
  await expect(row).toContainText('admin')
  await expect(group.getByRole('button', { name: 'New app password' })).toBeHidden()
  await row.getByRole('button', { name: 'Remove: Photo frame' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(group).toBeHidden()
  expect((await list('/')).status).toBe(401)
})
