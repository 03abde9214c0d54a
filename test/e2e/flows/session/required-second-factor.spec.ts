/** Administrators require two-factor login: a message before the day, and the set-up at the login after it. */
import { TOTP } from 'otpauth'
import type { Client } from '../../../support/server/client.ts'
import type { TestServer } from '../../../support/server/server.ts'
import { expect, test } from '../../fixtures.ts'
import { addUser, PASSWORD } from '../../users.ts'

const PERIOD_MS = 30_000

test.use({ ownServer: true })

test('an administrator requires it, and sees who lacks it', async ({ page, server, settings }) => {
  await addUser(server, 'bo')
  await settings.open('global/access')
  await settings.field('Require two-factor login').selectOption('All users')
  await expect(page.getByRole('main')).toContainText('Users without it: 2')
  await expect(settings.field('From')).not.toHaveValue('')
  await settings.save.click()
  await expect(settings.toasts).toContainText('Settings')
  await settings.open('profile')
  const note = page
    .getByRole('region', { name: 'Two-factor login' })
    .filter({ hasText: 'your password alone is not enough to log in' })
  await note.getByRole('link', { name: 'Set up…' }).click()
  await expect(settings.title).toHaveText('Profile')
  await note.getByRole('button', { name: 'Close' }).click()
  await expect(note).toHaveCount(0)
})

test('from the day on, a user sets it up at the login, and goes on', async ({
  page,
  server,
  login,
  files,
  admin,
  settings,
}) => {
  const bo = await addUser(server, 'bo', 'create', 'modify', 'download')
  await turnOn(admin, server)
  const required = { secondFactorFor: 'all', secondFactorFrom: '2026-01-01' }
  expect((await admin.call('PUT', '/api/settings', required)).status).toBe(200)
  await settings.open('users')
  await expect(
    settings.users.getByRole('row', { name: /admin/ }).getByRole('img', { name: 'Two-factor' }),
  ).toHaveCount(1)
  await files.openRoot()
  await files.sidebar('Log out').click()

  await login.logIn(bo, PASSWORD)
  await expect(page.getByRole('main')).toContainText('This server requires two-factor login.')
  await page.reload()
  await page.getByRole('button', { name: 'Use an authenticator app…' }).click()
  await settings.confirm(PASSWORD)
  const setUp = page.getByRole('dialog', { name: 'Two-factor login' })
  const secret = (await setUp.getByText(/^([A-Z2-7]{4} ?)+$/).innerText()).replaceAll(' ', '')
  await setUp.getByLabel('Code').fill(new TOTP({ secret }).generate())
  await setUp.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I have saved the codes' }).click()
  await expect(files.status).toBeVisible()
})

async function turnOn(who: Client, { password }: TestServer): Promise<void> {
  const draft = await who.call('POST', '/api/second-factor', { current_password: password })
  const { secret } = (await draft.json()) as { secret: string }
  const code = new TOTP({ secret }).generate({ timestamp: Date.now() - PERIOD_MS })
  expect((await who.call('POST', '/api/second-factor/confirm', { code })).status).toBe(200)
}
