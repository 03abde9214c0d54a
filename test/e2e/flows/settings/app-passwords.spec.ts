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
  await form.getByRole('textbox', { name: 'Application' }).fill('Kodi 21')
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
  await expect(row).toContainText('Kodi 21')
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

test('after a change of the password, the app passwords, which still work, can be removed at once', async ({
  page,
  server,
  settings,
}) => {
  const login = { username: 'admin', password: server.password }
  const session = await fetch(`${server.url}/api/login`, {
    ...{ method: 'POST', body: JSON.stringify(login) },
  })
  const token = await session.text()
  const make = async (name: string) => {
    const made = await fetch(`${server.url}/api/app-passwords`, {
      ...{ method: 'POST', headers: { 'X-Auth': token } },
      body: JSON.stringify({ name, permissions: ['download'], current_password: server.password }),
    })
    return ((await made.json()) as { password: string }).password
  }
  const passwords = [await make('Phone'), await make('Backup')]
  const statuses = () =>
    Promise.all(
      passwords.map(async (password) => {
        const headers = { Authorization: `Bearer ${password}` }
        return (await fetch(`${server.url}/api/resources/`, { headers })).status
      }),
    )

  await settings.open('profile')
  const group = page.getByRole('region', { name: 'App passwords' })
  const change = async (to: string, current: string) => {
    await settings.field('New password').fill(to)
    await settings.field('Repeat new password').fill(to)
    await settings.button('Change password').click()
    await settings.confirm(current)
  }
  const offer = page.getByRole('dialog', { name: 'Your app passwords still work' })
  const [first, second] = ['a first password of many', 'a second password of many']
  await change(first, server.password)
  await expect(offer).toContainText('Backup, Phone')
  await offer.getByRole('button', { name: 'Keep' }).click()
  expect(await statuses()).toEqual([200, 200])
  await expect(group.getByRole('listitem').filter({ hasText: 'Phone' })).toBeVisible()

  await change(second, first)
  await offer.getByRole('button', { name: 'Remove all' }).click()
  await expect(group).toContainText('There are no app passwords.')
  expect(await statuses()).toEqual([401, 401])
})
