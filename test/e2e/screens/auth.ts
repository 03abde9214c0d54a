/** Screens of sign-in, sign-up, invitations and first steps, and of errors. */
import { expect } from 'playwright/test'
import { dropConnection, offerPasskeys, openSignUp, requireSecondFactor } from './prepare.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { PROJECT } from './tree.ts'

export const AUTH_SCREENS: readonly Screen[] = [
  {
    name: 'first-steps',
    async go(stage) {
      await openFirstSteps(stage)
      await expect(stage.page.getByText('People added')).toBeVisible()
    },
  },
  {
    name: 'second-factor-due',
    async go(stage) {
      await openSecondFactorDue(stage)
      await expect(stage.page.getByRole('region', { name: 'Two-factor login' })).toBeVisible()
    },
  },
  {
    name: 'invite',
    visitor: true,
    async go({ page }) {
      const invitation = { username: 'Mara Lindqvist', minimumPasswordLength: 12 }
      await page.route('**/api/invitation', (route) => route.fulfill({ json: invitation }))
      await page.goto('./invite#token')
      await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
    },
  },
  {
    name: 'invite-used',
    visitor: true,
    failing: true,
    async go({ page }) {
      await page.goto('./invite#used')
      await expect(page.getByText('or ask for a new invitation')).toBeVisible()
    },
  },
  { name: 'login', visitor: true, go: ({ login }) => login.open() },
  {
    name: 'login-passkey',
    visitor: true,
    async go({ login, page, url }) {
      await offerPasskeys(page, url)
      await login.open()
      await expect(page.getByRole('button', { name: 'Log in with a passkey' })).toBeVisible()
    },
  },
  {
    name: 'login-passkey-first',
    visitor: true,
    async go({ login, page, url }) {
      await offerPasskeys(page, url)
      await page.addInitScript(() => localStorage.setItem('filemgr.passkeys', 'true'))
      await login.open()
      await expect(page.getByRole('button', { name: 'Log in with a passkey' })).toBeVisible()
    },
  },
  {
    name: 'enrol',
    failing: true,
    async go(stage) {
      await openEnrolment(stage)
      await expect(stage.page.getByText('This server requires two-factor login.')).toBeVisible()
    },
  },
  { name: 'login-code', failing: true, visitor: true, go: openCode },
  {
    name: 'login-error',
    failing: true,
    visitor: true,
    async go({ login }) {
      await login.open()
      await login.logIn('mara', 'not her password')
      await expect(login.error).toBeVisible()
    },
  },
  {
    name: 'error-403',
    go: ({ page }) => openError(page, './403', 'You do not have access to this'),
  },
  {
    name: 'sign-up',
    visitor: true,
    async go({ login, page }) {
      await openSignUp(page)
      await login.open()
      await login.toSignUp()
      await login.signUp('mara', 'northern lights 26', 'northern lights')
      await expect(page.getByText('do not match')).toBeVisible()
    },
  },
  {
    name: 'error-404',
    failing: true,
    async go({ files, page }) {
      await files.open('/Projects/Documentary/Svalbard 2023')
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
    },
  },
  { name: 'error-500', go: ({ page }) => openError(page, './500', 'Something went wrong') },
  {
    name: 'error-connection',
    failing: true,
    async go({ files, page }) {
      await dropConnection(page)
      await files.open(PROJECT)
      await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
    },
  },
]

/** The first steps, in any language. */
export async function openFirstSteps({ files, page, isNarrow }: Stage): Promise<void> {
  const steps = { isDue: true, changePassword: true, addPeople: false, hosts: ['192.0.2.7'] }
  await page.route('**/api/first-steps', (route) => route.fulfill({ json: steps }))
  await files.open('/')
  const card = page.locator('.FirstStepsPanel')
  if (isNarrow) await card.getByRole('button').first().click()
  else await expect(card.getByRole('img')).toBeVisible()
}

/** The message that a second factor is needed soon, in any language. */
export async function openSecondFactorDue({ files, page }: Stage): Promise<void> {
  await requireSecondFactor(page)
  await files.open('/')
  await expect(page.locator('.SecondFactorBanner')).toBeVisible()
  await expect(page.getByText('taxes-2024.pdf')).toBeVisible()
}

/** The page of a user who must set up a second factor first, in any language. */
export async function openEnrolment({ page }: Stage): Promise<void> {
  const headers = { 'X-Fault': 'forbidden; reason=factorDue' }
  await page.route('**/api/resources/**', (route) => route.fulfill({ status: 403, headers }))
  await page.goto('./files/')
  await expect(page.locator('.AuthCard h1')).toBeVisible()
}

/** The step of a log-in that asks for a code. */
export async function openCode({ page }: Stage): Promise<void> {
  await page.route('**/api/login', (route) =>
    route.fulfill({
      status: 401,
      headers: { 'X-Fault': 'unauthenticated; reason=codeNeeded' },
      json: { code: 'second-factor', ticket: 'ticket', app: true, passkeyHosts: ['localhost'] },
    }),
  )
  await page.goto('./login')
  await page.locator('input[name=username]').fill('mara')
  await page.locator('input[name=password]').fill('northern lights 26')
  await page.keyboard.press('Enter')
  await expect(page.locator('input[name=code]')).toBeVisible()
}

async function openError(page: Stage['page'], address: string, heading: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
}
