/** Log-in with an OpenID Connect provider: set up with a test, used, linked, and opened by itself. */
import type { Page } from 'playwright/test'
import { API } from '#wire/api/routes.ts'
import { startProvider, type TestProvider } from '../../../support/identity/provider.ts'
import type { TestServer } from '../../../support/server/server.ts'
import { expect, test } from '../../fixtures.ts'

test.use({ ownServer: true })

const LOG_IN = 'Log in with Home'

/** The provider, with a client for the server; its id there is the one that the form proposes. */
async function providerFor(server: TestServer): Promise<TestProvider> {
  return startProvider({
    redirect: `${server.url}${API.identityCallback}/provider`,
    logout: `${server.url}/login`,
    backchannel: `${server.url}${API.identityBackchannel}/provider`,
  })
}

/** Each test loads some twenty pages of two servers, for which a busy machine needs more than a minute. */
const PAGES_MS = 240_000

async function logInThere(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('x')
  await page.locator('button[type=submit]').click()
}

test('a provider is set up with a test, used for a log-in, and opened by itself', async ({
  page,
  server,
  admin,
  settings,
  files,
  login,
}) => {
  test.setTimeout(PAGES_MS)
  const provider = await providerFor(server)
  provider.person('ana', { preferred_username: 'ana', groups: ['family'] })
  // The provider of the test asks for a font.
  await page.route('https://**', (route) => route.abort())
  await settings.open('global/login')
  await expect(page.getByText('Set it first')).toBeVisible()
  expect((await admin.call('PUT', API.settings, { publicAddress: server.url })).status).toBe(200)
  await page.reload()

  await page.getByRole('button', { name: 'Add a provider' }).click()
  await page.getByLabel('Address of the provider').fill('http://127.0.0.1:9')
  await page.getByRole('button', { name: 'Look up' }).click()
  await expect(page.getByRole('alert')).toContainText('cannot be reached')
  await page.getByLabel('Address of the provider').fill(provider.issuer)
  await page.getByRole('button', { name: 'Look up' }).click()
  await expect(page.getByText('The provider was found.')).toBeVisible()
  await page.getByLabel('Name on the button').fill('Home')
  await expect(page.getByLabel('Redirect address', { exact: true })).toHaveValue(
    `${server.url}${API.identityCallback}/provider`,
  )
  await page.getByLabel('Client ID').fill(provider.clientId)
  await page.getByLabel('Client secret', { exact: true }).fill(provider.clientSecret)
  await page.getByLabel('Scopes').fill('openid profile groups')
  await page.getByLabel('Groups of administrators').fill('admins')
  await page.getByLabel('New accounts').selectOption('all')
  await page.getByRole('button', { name: 'Save' }).click()
  await settings.confirm(server.password)

  await expect(page.getByRole('region', { name: 'Home' })).toBeVisible()
  await expect(page.getByLabel('Client ID')).toHaveValue(provider.clientId)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await logInThere(page, 'ana')
  const result = page.getByRole('region', { name: 'Result of the test' })
  await expect(result).toContainText('It would create the user ana.')
  await expect(result).toContainText('Administrator: no')
  await expect(result).toContainText('Groups: family')
  await expect(page.getByText('Not on the login page')).toBeVisible()

  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByLabel('Show on the login page').check()
  await page.getByLabel('Log out at the provider too').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await settings.confirm(server.password)
  await expect(page.getByText('Settings saved')).toBeVisible()

  await files.openRoot()
  await files.sidebar('Log out').click()
  await page.getByRole('button', { name: LOG_IN }).click()
  // The provider remembers the person of the test.
  await expect(files.status).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/files/')

  await files.sidebar('Log out').click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await expect(login.button).toBeVisible()
  expect(page.url()).toBe(`${server.url}/login?state=out`)
  await provider.stop()
})

test('an account is linked with its password, in the log-in and in the profile', async ({
  page,
  server,
  admin,
  settings,
  files,
  login,
}) => {
  test.setTimeout(PAGES_MS)
  const provider = await providerFor(server)
  provider.person('someone', { preferred_username: 'admin', email: 'someone@example.org' })
  await page.route('https://**', (route) => route.abort())
  await admin.call('PUT', API.settings, { publicAddress: server.url })
  const added = await admin.call('POST', API.identityProviders, {
    current_password: server.password,
    provider: {
      id: 'provider',
      label: 'Home',
      issuer: provider.issuer,
      clientID: provider.clientId,
      clientSecret: provider.clientSecret,
      isEnabled: true,
      options: { newAccounts: 'all' },
    },
  })
  expect(added.status).toBe(201)

  await files.openRoot()
  await files.sidebar('Log out').click()
  await page.getByRole('button', { name: LOG_IN }).click()
  await logInThere(page, 'someone')
  await expect(page.getByRole('alert')).toContainText('This username is taken here')
  await page.getByLabel('Username').fill(server.username)
  await page.getByLabel('Password', { exact: true }).fill(server.password)
  await page.getByRole('button', { name: 'Link and log in' }).click()
  await expect(page.getByText('The account is linked')).toBeVisible()
  await expect(files.status).toBeVisible()

  await settings.open('profile')
  const linked = page.getByRole('region', { name: 'Linked logins' })
  await expect(linked).toContainText('someone@example.org')
  await linked.getByRole('button', { name: 'Remove: Home' }).click()
  await settings.confirm(server.password)
  await expect(linked).toContainText('No account is linked.')
  await linked.getByRole('button', { name: 'Link Home…' }).click()
  await settings.confirm(server.password)
  await expect(linked).toContainText('someone@example.org')

  // It opens by itself, but not after a log-out, and never in a loop.
  await admin.call('PUT', `${API.identityProviders}/provider`, {
    current_password: server.password,
    provider: {
      id: 'provider',
      label: 'Home',
      issuer: provider.issuer,
      clientID: provider.clientId,
      isEnabled: true,
      options: { newAccounts: 'all', redirects: true },
    },
  })
  await files.openRoot()
  await files.sidebar('Log out').click()
  await expect(page.getByRole('button', { name: LOG_IN })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: LOG_IN })).toBeVisible()
  await expect(login.button).toBeVisible()
  await page.evaluate(() => sessionStorage.clear())
  await page.goto('./login?redirect=/settings/profile')
  await expect(linked).toContainText('someone@example.org')
  await provider.stop()
})
