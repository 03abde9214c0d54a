/** Two-factor login: set up in the profile, asked for at the sign-in, confirmed for changes, removed. */

import { TOTP } from 'otpauth'
import type { Page } from 'playwright/test'
import { type Client, signIn } from '../../../support/server/client.ts'
import type { TestServer } from '../../../support/server/server.ts'
import { expect, test } from '../../fixtures.ts'

const PERIOD_MS = 30_000
const NEW_PASSWORD = 'northern lights over the sea'

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
  // The codes are shown once: only their own button closes them.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  await shown.getByRole('button', { name: 'I have saved the codes' }).click()
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
    const { username } = await addUser(admin, server)
    const bo = await signIn(server.url, username, server.password)
    await turnOn(bo, server)
    expect((await passwordAlone(server, username)).status).toBe(401)
    await settings.open('users')
    await settings.edit(username)
    const group = page.getByRole('region', { name: 'Two-factor login' })
    await group.getByRole('button', { name: 'Remove…' }).click()
    await settings.confirm(server.password)
    await expect(settings.toasts).toContainText('The password alone is enough to log in now')
    await expect(group).toBeHidden()
    // The next key does not begin at the top of the page.
    await expect(page.locator('body')).not.toBeFocused()
    expect((await passwordAlone(server, username)).status).toBe(200)
    expect((await bo.call('GET', '/api/second-factor')).status).toBe(401)
  })

  test('a new password of one’s own asks for one code, and this window goes on', async ({
    page,
    server,
    settings,
    admin,
  }) => {
    const { secret } = await turnOn(admin, server)
    await settings.open('profile')
    await settings.field('New password').fill(NEW_PASSWORD)
    await settings.field('Repeat new password').fill(NEW_PASSWORD)
    await settings.button('Change password').click()
    await settings.confirm(server.password)
    await new CodeDialog(page).send(codeOf(secret, 0))
    await expect(settings.toasts).toContainText('Password changed')
    await expect(settings.devices('Your devices')).toHaveCount(1)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.reload()
    await expect(settings.title).toHaveText('Profile')
    expect((await passwordAlone(server, 'admin', NEW_PASSWORD)).status).toBe(401)
  })
})

async function turnOn(who: Client, { password }: TestServer): Promise<{ secret: string }> {
  const draft = await who.call('POST', '/api/second-factor', { current_password: password })
  const { secret } = (await draft.json()) as { secret: string }
  const code = codeOf(secret, -1)
  const confirmed = await who.call('POST', '/api/second-factor/confirm', { code })
  expect(confirmed.status).toBe(200)
  return { secret }
}

/** Adds a user with the password of the administrator. */
async function addUser(admin: Client, { password }: TestServer): Promise<{ username: string }> {
  const data = { username: 'bo', password, scope: '/' }
  const added = await admin.call('POST', '/api/users', {
    what: 'user',
    which: [],
    current_password: password,
    data,
  })
  expect(added.status).toBe(201)
  return data
}

function passwordAlone(
  { url, password }: TestServer,
  username: string,
  typed = password,
): Promise<Response> {
  return fetch(`${url}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ username, password: typed }),
  })
}
