/** Screens of the settings and their dialogs. */
import { expect, type Page } from 'playwright/test'
import type { Screen } from './screen.ts'
import { NOW, PROJECT } from './tree.ts'

export const SETTINGS_SCREENS: readonly Screen[] = [
  {
    name: 'settings-profile',
    async go({ settings }) {
      await settings.open('profile')
      await expect(settings.devices('Your devices').first()).toBeVisible()
    },
  },
  {
    name: 'settings-profile-passkeys',
    async go({ settings, page }) {
      await page.route('**/api/passkeys', async (route) =>
        route.fulfill({ json: { origin: new URL(page.url()).origin, passkeys: PASSKEYS } }),
      )
      await settings.open('profile')
      await expect(settings.group('Passkeys').getByRole('listitem')).toHaveCount(2)
      await settings.group('Passkeys').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-password',
    async go({ settings }) {
      await settings.open('profile')
      await settings.field('New password').fill('northern lights 26')
      await settings.field('Repeat new password').fill('northern lights')
      await expect(settings.group('Password')).toContainText('do not match')
    },
  },
  {
    name: 'settings-shares-none',
    async go({ settings, page }) {
      await page.route('**/api/shares', (route) => route.fulfill({ json: [] }))
      await settings.open('shares')
      await expect(page.getByText('Nothing is shared')).toBeVisible()
    },
  },
  {
    name: 'settings-shares-lost',
    async go({ page, settings }) {
      const lost = LINKS.map((link, at) => ({ ...link, ...(LOSSES[at] && { lost: LOSSES[at] }) }))
      await page.route('**/api/shares', (route) => route.fulfill({ json: lost }))
      await settings.open('shares')
      await expect(settings.shares).toContainText('has this name now')
    },
  },
  {
    name: 'settings-shares',
    async go({ settings, page }) {
      await page.route('**/api/shares', (route) => route.fulfill({ json: LINKS }))
      await settings.open('shares')
      await expect(settings.shares).toBeVisible()
    },
  },
  { name: 'settings-global', go: ({ settings }) => settings.open('global') },
  { name: 'settings-global-access', go: ({ settings }) => settings.open('global/access') },
  {
    name: 'settings-global-required',
    async go({ settings, page }) {
      await settings.open('global/access')
      await settings.field('Require two-factor login').selectOption('All users')
      await expect(page.getByRole('main')).toContainText('Users without it:')
    },
  },
  { name: 'settings-global-uploads', go: ({ settings }) => settings.open('global/uploads') },
  { name: 'settings-global-defaults', go: ({ settings }) => settings.open('global/defaults') },
  {
    name: 'settings-global-refused',
    failing: true,
    async go({ settings }) {
      await settings.open('global/access')
      await settings.toggle('Sign-up').click()
      await settings.save.click()
      await expect(settings.error).toBeVisible()
    },
  },
  {
    name: 'settings-users',
    async go({ settings }) {
      await settings.open('users')
      await expect(settings.users).toBeVisible()
      await expect(settings.devices('Logged in now').first()).toBeVisible()
    },
  },
  {
    name: 'settings-user',
    async go({ settings }) {
      await settings.open('users')
      await settings.edit('admin')
      await expect(settings.permission('Share')).toBeVisible()
    },
  },
  {
    name: 'settings-user-rules',
    async go({ settings, page }) {
      await settings.open('users/new')
      await settings.button('New rule').click()
      await page.keyboard.type('/Accounting & permits')
      await settings.button('New rule').click()
      await settings.field('Rule 2: kind').selectOption('regex')
      await settings.field('Rule 2: path or pattern').fill('\\.(key|pem$')
      await expect(settings.error).toBeVisible()
    },
  },
  {
    name: 'prompt-invitation',
    async go({ settings, page }) {
      const made = { userID: 1, username: 'admin', expires: 1_900_000_000, token: TOKEN }
      await page.route('**/api/invitations', (route) =>
        route.fulfill({ json: route.request().method() === 'POST' ? made : [made] }),
      )
      await settings.open('users')
      await settings.edit('admin')
      await expect(settings.group('Invitation')).toContainText('A link is open')
      await settings.button('New link…').click()
      await settings.confirm('anything')
      await expect(settings.prompt.card).toContainText('/invite#')
      await expect(settings.prompt.card.locator('svg[role="img"]')).toBeVisible()
    },
  },
  { name: 'settings-user-new', go: ({ settings }) => settings.open('users/new') },
  {
    name: 'prompt-end-sessions',
    async go({ settings, page }) {
      await page.route('**/api/sessions*', (route) => route.fulfill({ json: DEVICES }))
      await settings.open('profile')
      await settings.button('Log out all others').click()
      await expect(settings.prompt.card).toBeVisible()
    },
  },
  {
    name: 'prompt-current-password',
    failing: true,
    async go({ settings }) {
      await settings.open('profile')
      await settings.field('New password').fill('northern lights 26')
      await settings.field('Repeat new password').fill('northern lights 26')
      await settings.button('Change password').click()
      await settings.confirm('not the password')
      await expect(settings.prompt.card).toContainText('not your password')
    },
  },
  {
    name: 'prompt-second-factor',
    async go({ settings, page }) {
      const uri =
        'otpauth://totp/filemgr:mara?issuer=filemgr&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
      await page.route('**/api/second-factor', (route) =>
        route.fulfill({
          json:
            route.request().method() === 'POST'
              ? { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', uri }
              : { since: '', recoveryCodes: 0, passkeyHosts: [], requiredFrom: '' },
        }),
      )
      await settings.open('profile')
      await settings.button('Set up…').click()
      await settings.confirm('anything')
      await expect(settings.prompt.card.getByRole('img')).toBeVisible()
    },
  },
  {
    name: 'prompt-code',
    failing: true,
    async go({ settings, page }) {
      await withSecondFactor(page)
      await page.route('**/api/second-factor/recovery-codes', (route) =>
        route.fulfill({ status: 400, headers: { 'X-Fault': 'badRequest; reason=codeNeeded' } }),
      )
      await settings.open('profile')
      await settings.button('New recovery codes…').click()
      await settings.confirm('anything')
      await expect(settings.prompt.card.getByLabel('Code')).toBeVisible()
    },
  },
  {
    name: 'prompt-recovery-codes',
    async go({ settings, page }) {
      await withSecondFactor(page)
      const codes = Array.from({ length: 10 }, (_, number) => `${number}k7wq-3hd${number}v`)
      await page.route('**/api/second-factor/recovery-codes', (route) =>
        route.fulfill({ json: { codes } }),
      )
      await settings.open('profile')
      await settings.button('New recovery codes…').click()
      await settings.confirm('anything')
      await expect(settings.prompt.card.getByRole('listitem')).toHaveCount(10)
    },
  },
  {
    name: 'prompt-delete-user',
    async go({ settings }) {
      await settings.open('users')
      await settings.edit('admin')
      await settings.button('Delete user…').click()
      await expect(settings.prompt.card).toBeVisible()
    },
  },
  {
    name: 'prompt-sign-in',
    failing: true,
    async go({ settings, page }) {
      await settings.open('global')
      await settings.field('Name').fill('Nordlys')
      await page.route('**/api/settings', (route) => route.fulfill({ status: 401 }))
      await settings.save.click()
      await expect(settings.prompt.card).toBeVisible()
    },
  },
  {
    name: 'prompt-discard-changes',
    async go({ settings }) {
      await settings.open('users/new')
      await settings.field('Username').fill('mara')
      await settings.menu.getByRole('link', { name: 'Profile' }).click()
      await expect(settings.prompt.card).toBeVisible()
    },
  },
]

/** The user signs in with a second factor. */
function withSecondFactor(page: Page): Promise<unknown> {
  const since = new Date(NOW).toISOString()
  const json = { since, recoveryCodes: 8, passkeyHosts: [], requiredFrom: '' }
  return page.route('**/api/second-factor', (route) => route.fulfill({ json }))
}

const TOKEN = 'WLTQLIhUEJ46SVNMS5prEn_NmQgTFVsn'

const LINKS = [
  { hash: 'a', path: '/Projects/Documentary/', userID: 1, expire: 0, username: 'admin' },
  { hash: 'b', path: `${PROJECT}/`, userID: 1, expire: 1_763_500_000, username: 'admin' },
  { hash: 'c', path: '/teaser-cut-v12.mp4', userID: 2, expire: 1_763_900_000, username: 'mara' },
].map((link) => ({ ...link, hasPassword: link.hash === 'c', visits: 3 }))

/** Why visitors see nothing of some of them. */
const LOSSES = ['another', 'missing']

/** Active sessions, this browser first. */
const DEVICES = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  ...Array<string>(4).fill('curl/8.14.1'),
].map((agent, at) => ({
  id: `device ${at}`,
  userID: 1,
  created: new Date(NOW.getTime() - (at + 1) * 86_400_000).toISOString(),
  seen: new Date(NOW.getTime() - at * 7_200_000).toISOString(),
  expires: new Date(NOW.getTime() + 86_400_000).toISOString(),
  address: '192.168.1.20',
  agent,
  current: at === 0,
}))

const PASSKEYS = [
  {
    id: 'AAAA',
    name: 'Chrome on Linux',
    host: '127.0.0.1',
    isSynced: false,
    created: NOW.toISOString(),
    used: NOW.toISOString(),
  },
  {
    id: 'BBBB',
    name: 'Phone of Anna',
    host: 'old.example.org',
    isSynced: true,
    created: NOW.toISOString(),
    used: '',
  },
]
