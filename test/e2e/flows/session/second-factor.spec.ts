/** Two-factor login: set up in the profile, asked for at the sign-in, confirmed for changes, removed. */

import { TOTP } from 'otpauth'
import type { Page } from 'playwright/test'
import { expect, test } from '../../fixtures.ts'

const PERIOD_MS = 30_000

/** The dialog that asks for a code. */
class CodeDialog {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  get dialog() {
    return this.#page.getByRole('dialog', { name: 'Enter a code' })
  }

  async send(code: string): Promise<void> {
    await this.dialog.getByLabel('Code').fill(code)
    await this.dialog.getByRole('button', { name: 'Continue' }).click()
  }
}

/** The code of the time step that is so many steps from now: each is accepted once. */
function codeOf(secret: string, steps: number): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * PERIOD_MS })
}

test('a second factor is set up, asked for at the sign-in with a code or a recovery code, and turned off', async ({
  page,
  server,
  settings,
  files,
  login,
}) => {
  const codes = new CodeDialog(page)
  await settings.open('profile')
  const group = page.getByRole('region', { name: 'Two-factor login' })
  await expect(group).toContainText('Off')
  await group.getByRole('button', { name: 'Set up…' }).click()
  await settings.confirm(server.password)
  const setUp = page.getByRole('dialog', { name: 'Two-factor login' })
  await expect(setUp.getByRole('img', { name: 'Two-factor login' })).toBeVisible()
  const secret = (await setUp.getByText(/^([A-Z2-7]{4} ?)+$/).innerText()).replaceAll(' ', '')
  await setUp.getByLabel('Code').fill('000000')
  await setUp.getByRole('button', { name: 'Turn on' }).click()
  await expect(setUp).toContainText('This code is wrong')
  // The code of the step before is accepted too; that of the present one is left for the sign-in.
  await setUp.getByLabel('Code').fill(codeOf(secret, -1))
  await setUp.getByRole('button', { name: 'Turn on' }).click()

  const shown = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  const recoveryCode = await shown.getByRole('listitem').first().innerText()
  await page.keyboard.press('Escape')
  await expect(group).toContainText('Recovery codes left: 10')

  await files.openRoot()
  await files.sidebar('Log out').click()
  await login.logIn(server.username, server.password)
  await codes.send('000000')
  await expect(codes.dialog).toContainText('This code is wrong')
  await page.keyboard.press('Escape')
  await expect(login.button).toBeEnabled()
  await login.logIn(server.username, server.password)
  await codes.send(recoveryCode.toUpperCase())
  await expect(files.status).toBeVisible()

  await settings.open('profile')
  await expect(group).toContainText('Recovery codes left: 9')
  // The recovery code was given a moment ago in this session, so the password is enough.
  await group.getByRole('button', { name: 'Turn off…' }).click()
  await settings.confirm(server.password)
  await expect(group).toContainText('Off')
  await files.openRoot()
  await files.sidebar('Log out').click()
  await login.logIn(server.username, server.password)
  await expect(files.status).toBeVisible()
})

test.describe('with an own server', () => {
  test.use({ ownServer: true })

  test('an administrator removes the second factor of a user who has lost the phone', async ({
    page,
    server,
    settings,
    admin,
  }) => {
    const confirmation = { current_password: server.password }
    const post = async (path: string, body: object) =>
      (await (await admin.call('POST', `/api/second-factor${path}`, body)).json()) as {
        secret: string
      }
    const { secret } = await post('', confirmation)
    await post('/confirm', { code: codeOf(secret, -1) })
    await settings.open('users')
    await page.getByRole('link', { name: 'Edit admin' }).click()
    const group = page.getByRole('region', { name: 'Two-factor login' })
    await group.getByRole('button', { name: 'Remove…' }).click()
    await settings.confirm(server.password)
    const codes = new CodeDialog(page)
    await codes.send(codeOf(secret, 0))
    // All sessions of the account have ended, also this one.
    await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible()
    const users = await fetch(`${server.url}/api/login`, {
      method: 'POST',
      body: JSON.stringify({ username: 'admin', password: server.password }),
    })
    expect(users.status).toBe(200)
  })
})
