/** Screens of the log-in with a provider. */
import { expect, type Page } from 'playwright/test'
import { type DirectoryTest, type LoginDirectory, STANDARD_DIRECTORY } from '#wire/api/directory.ts'
import { type Provider, type ProviderTest, STANDARD_OPTIONS } from '#wire/api/identity.ts'
import { API } from '#wire/api/routes.ts'
import type { Screen } from './screen.ts'

const ADDRESS = 'https://files.example.org'

const PROVIDER: Provider = {
  id: 'family',
  label: 'Family account',
  issuer: 'https://id.example.org',
  clientID: 'filemgr',
  hasSecret: true,
  isEnabled: true,
  options: {
    ...STANDARD_OPTIONS,
    scopes: 'openid profile email groups',
    adminGroups: ['admins'],
    newAccounts: 'groups',
    accountGroups: ['family', 'friends'],
  },
  redirectAddress: `${ADDRESS}${API.identityCallback}/family`,
  logoutAddress: `${ADDRESS}/login`,
  backchannelAddress: `${ADDRESS}${API.identityBackchannel}/family`,
}

const WORK: Provider = {
  ...PROVIDER,
  id: 'work',
  label: 'Keycloak at work',
  issuer: 'https://auth.example.org/realms/studio',
  isEnabled: false,
}

const TEST: ProviderTest = {
  provider: 'family',
  claims: {
    sub: '2f6c1a7e',
    preferred_username: 'mara',
    email: 'mara@example.org',
    groups: ['family'],
  },
  outcome: {
    username: 'mara',
    isNew: true,
    isAdmin: false,
    adminReason: 'noMember',
    groups: ['family'],
    refusal: '',
  },
}

const OFFICE: LoginDirectory = {
  id: 'office',
  label: 'Office',
  hasPassword: true,
  isEnabled: true,
  options: {
    ...STANDARD_DIRECTORY,
    address: 'ldap://ldap.example.org',
    bindDN: 'cn=filemgr,dc=example,dc=org',
    base: 'ou=people,dc=example,dc=org',
    groupBase: 'ou=groups,dc=example,dc=org',
    adminGroups: ['admins'],
    newAccounts: 'all',
  },
}

const OFFICE_TEST: DirectoryTest = {
  dn: 'uid=mara,ou=people,dc=example,dc=org',
  attributes: { entryUUID: ['2f6c1a7e-0000-4000-8000-000000000000'], uid: ['mara'] },
  isPasswordRight: true,
  outcome: { ...TEST.outcome, groups: ['staff'] },
}

const SHOWN = {
  providers: [PROVIDER, WORK].map(({ id, label }) => ({ id, label })),
  redirectsTo: '',
}

export const IDENTITY_SCREENS: readonly Screen[] = [
  {
    name: 'login-providers',
    visitor: true,
    async go({ page, login }) {
      await page.route('**/api/identity', (route) => route.fulfill({ json: SHOWN }))
      await login.open()
      await expect(page.getByRole('button', { name: 'Log in with Keycloak at work' })).toBeVisible()
    },
  },
  {
    name: 'login-provider-problem',
    visitor: true,
    async go({ page, login }) {
      await page.route('**/api/identity', (route) => route.fulfill({ json: SHOWN }))
      await page.goto('./login?problem=providerClock&provider=family')
      await expect(login.error).toContainText('clocks')
    },
  },
  {
    name: 'login-link',
    visitor: true,
    failing: true,
    async go({ page }) {
      await page.route('**/api/identity/finish', (route) =>
        route.fulfill({
          status: 403,
          headers: { 'X-Fault': 'forbidden; reason=identityNameTaken' },
          body: 'refused',
        }),
      )
      await page.goto('./login?flow=0123456789abcdef&provider=family')
      await expect(page.getByRole('button', { name: 'Link and log in' })).toBeVisible()
    },
  },
  {
    name: 'settings-global-login',
    async go({ page, settings }) {
      await withProviders(page)
      await page.route('**/api/identity/test', (route) => route.fulfill({ json: TEST }))
      await page.goto('./settings/global/login?flow=0123456789abcdef')
      await expect(settings.group('Result of the test')).toContainText('mara')
      await expect(page.getByText('Keycloak at work')).toBeVisible()
    },
  },
  {
    name: 'settings-global-login-provider',
    async go({ page }) {
      await withProviders(page)
      await page.goto('./settings/global/login')
      await page.getByRole('button', { name: 'Change…' }).first().click()
      await expect(page.getByLabel('Redirect address', { exact: true })).toBeVisible()
    },
  },
  {
    name: 'settings-global-login-new',
    async go({ page }) {
      await withProviders(page, [])
      await page.goto('./settings/global/login')
      await page.getByRole('button', { name: 'Add a provider' }).click()
      await expect(page.getByPlaceholder('https://id.example.org')).toBeVisible()
    },
  },
  {
    name: 'settings-global-login-no-address',
    async go({ page }) {
      await page.goto('./settings/global/login')
      await expect(page.getByText('Set it first')).toBeVisible()
    },
  },
  {
    name: 'settings-global-login-directory',
    async go({ page, settings }) {
      await withProviders(page)
      await page.route('**/api/identity/directories', (route) => route.fulfill({ json: [OFFICE] }))
      await page.route('**/api/identity/directories/office/test', (route) =>
        route.fulfill({ json: OFFICE_TEST }),
      )
      await page.goto('./settings/global/login')
      await settings.group('Directories (LDAP)').getByRole('button', { name: 'Change…' }).click()
      const test = settings.group('Test')
      await test.getByLabel('Username').fill('mara')
      await test.getByRole('button', { name: 'Test' }).click()
      await expect(test).toContainText('It would create the user mara.')
    },
  },
  {
    name: 'settings-profile-linked',
    async go({ page, settings }) {
      const linked = [
        {
          id: 1,
          issuer: PROVIDER.issuer,
          provider: PROVIDER.label,
          label: 'mara@example.org',
          linked: '2025-11-20T10:00:00.000Z',
          used: '',
        },
      ]
      await page.route('**/api/identity', (route) => route.fulfill({ json: SHOWN }))
      await page.route('**/api/identity/linked', (route) => route.fulfill({ json: linked }))
      await settings.open('profile')
      await settings.group('Linked logins').scrollIntoViewIfNeeded()
      await expect(settings.group('Linked logins')).toContainText('mara@example.org')
    },
  },
]

/** The settings with a public address, and providers. */
async function withProviders(page: Page, providers = [PROVIDER, WORK]): Promise<void> {
  await page.route('**/api/identity/providers', (route) => route.fulfill({ json: providers }))
  await page.route('**/api/settings', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      json: { ...(await response.json()), publicAddress: ADDRESS },
    })
  })
}
