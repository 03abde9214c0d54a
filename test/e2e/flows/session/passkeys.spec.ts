/** Passkeys: added in the profile, used for a login without a name, lost, and not possible at an IP address. */
import type { Page } from 'playwright/test'
import { TOKEN_STORAGE_KEY } from '#wire/api/session.ts'
import { signIn } from '../../../support/server/client.ts'
import { Authenticator } from '../../authenticator.ts'
import { expect, test } from '../../fixtures.ts'

test.describe('at a host name', () => {
  test.use({
    ownServer: true,
    // Browsers have no passkeys for 127.0.0.1, which the servers of other flows have.
    baseURL: async ({ server }, use) => use(`${server.url.replace('127.0.0.1', 'localhost')}/`),
  })

  test('a passkey is added, logs in without a name, and a recovery code helps after its loss', async ({
    page,
    server,
    settings,
    files,
    login,
  }) => {
    // It opens a dozen pages, with two slow hashes.
    test.slow()
    await withoutOffer(page)
    const device = await Authenticator.connect(page)
    const passkeys = page.getByRole('region', { name: 'Passkeys' })
    const shown = page.getByRole('dialog', { name: 'Recovery codes' })
    await settings.open('profile')
    await passkeys.getByRole('button', { name: 'Add a passkey…' }).click()
    await settings.confirm(server.password)
    await expect(shown.getByRole('listitem')).toHaveCount(10)
    const recoveryCode = await shown.getByRole('listitem').first().innerText()
    await shown.getByRole('button', { name: 'I have saved the codes' }).click()
    await expect(passkeys.getByRole('listitem')).toContainText('Chrome on Linux')
    await expect(passkeys.getByRole('listitem')).toContainText('not used yet')
    expect(await device.count()).toBe(1)

    await passkeys.getByRole('button', { name: 'Rename passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename passkey' })
    await dialog.getByLabel('Name').fill('My laptop')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(passkeys.getByRole('listitem')).toContainText('My laptop')

    await files.openRoot()
    await files.sidebar('Log out').click()
    const byPasskey = page.getByRole('button', { name: 'Log in with a passkey' })
    // The form of a device with a passkey begins with it.
    await expect(page.getByRole('main').getByRole('button').first()).toHaveText(
      'Log in with a passkey',
    )
    await byPasskey.click()
    await expect(files.status).toBeVisible()
    await settings.open('profile')
    await expect(passkeys.getByRole('listitem')).toContainText('last used')

    await files.openRoot()
    await device.lose()
    await files.sidebar('Log out').click()
    await login.logIn(server.username, server.password)
    const ask = page.getByRole('dialog', { name: 'Enter a code' })
    await expect(ask).toContainText('Use your passkey, or enter a recovery code.')
    await ask.getByLabel('Code').fill(recoveryCode)
    await ask.getByRole('button', { name: 'Continue' }).click()
    await expect(files.status).toBeVisible()

    await settings.open('profile')
    await passkeys.getByRole('button', { name: 'Remove… My laptop' }).click()
    await settings.confirm(server.password)
    await expect(passkeys.getByRole('listitem')).toHaveCount(0)
    await files.openRoot()
    await files.sidebar('Log out').click()
    await expect(byPasskey).toHaveCount(0)
    await login.logIn(server.username, server.password)
    await expect(files.status).toBeVisible()
  })

  test('a passkey replaces the code after the password, and when a change asks for one', async ({
    page,
    server,
    settings,
    files,
    login,
  }) => {
    await withoutOffer(page)
    await Authenticator.connect(page)
    const passkeys = page.getByRole('region', { name: 'Passkeys' })
    const earlier = await signIn(server.url, server.username, server.password)
    await settings.open('profile')
    await passkeys.getByRole('button', { name: 'Add a passkey…' }).click()
    await settings.confirm(server.password)
    await page.getByRole('dialog').getByRole('button', { name: 'I have saved the codes' }).click()
    await files.openRoot()
    await files.sidebar('Log out').click()
    await login.logIn(server.username, server.password)
    const ask = page.getByRole('dialog', { name: 'Enter a code' })
    await expect(ask).toBeVisible()
    await ask.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(files.status).toBeVisible()

    // A session from before the passkey has given none.
    await page.evaluate(([key, token]) => localStorage.setItem(key, token), [
      TOKEN_STORAGE_KEY,
      earlier.token,
    ] as const)
    await settings.open('profile')
    await passkeys.getByRole('button', { name: 'Remove…' }).click()
    await settings.confirm(server.password)
    await ask.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(passkeys.getByRole('listitem')).toHaveCount(0)
  })

  test('the browser offers a passkey in the field of the name, without a click on a button', async ({
    page,
    server,
    settings,
    files,
  }) => {
    await Authenticator.connect(page)
    await settings.open('profile')
    await page.getByRole('button', { name: 'Add a passkey…' }).click()
    await settings.confirm(server.password)
    await page.getByRole('button', { name: 'I have saved the codes' }).click()
    await files.openRoot()
    // The simulated user chooses what the browser offers.
    const chosen = page.waitForResponse('**/api/login/passkey')
    await files.sidebar('Log out').click()
    expect((await chosen).status()).toBe(200)
    await expect(files.status).toBeVisible()
  })
})

test('at an IP address the profile says why there are no passkeys, before a click', async ({
  page,
  settings,
}) => {
  await settings.open('profile')
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  await expect(passkeys).toContainText(
    'Browsers accept no passkeys at 127.0.0.1, because it is an IP address.',
  )
  await expect(passkeys).toContainText(
    `On this computer, open ${new URL(page.url()).origin.replace('127.0.0.1', 'localhost')} instead.`,
  )
  await expect(passkeys.getByRole('button')).toHaveText(['Public address…'])
  await passkeys.getByRole('button').click()
  await expect(page.getByLabel('Public address')).toBeVisible()
})

test.describe('at another address than the public one', () => {
  test.use({ ownServer: true })

  test('the profile and the login name the address of passkeys', async ({
    page,
    settings,
    admin,
  }) => {
    const publicAddress = 'https://files.example.org/files'
    expect((await admin.call('PUT', '/api/settings', { publicAddress })).status).toBe(200)
    await settings.open('profile')
    await expect(page.getByRole('region', { name: 'Passkeys' })).toContainText(
      'Passkeys work only at https://files.example.org.',
    )
  })
})

/** Browsers that do not offer passkeys in a field: the simulated user would choose one before the test clicks. */
async function withoutOffer(page: Page): Promise<void> {
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
}
