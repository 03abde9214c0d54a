import type { Page } from 'playwright/test'
import type { PublicSettings } from '#wire/api/settings.ts'
import { signIn } from '../../../support/server/client.ts'
import { expect, test } from '../../fixtures.ts'
import { FilesPage } from '../../pages/FilesPage.ts'
import { SettingsPage } from '../../pages/SettingsPage.ts'

const CAPTCHA = 'https://captcha.test'

/** A script with the functions of the captcha that the page uses. Its responses are numbered. */
const CAPTCHA_SCRIPT = `
  let count = 0
  window.grecaptcha = {
    ready: (run) => run(),
    render(container, { sitekey, callback }) {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = 'A person, says ' + sitekey
      button.onclick = () => callback('answer ' + ++count)
      container.append(button)
      return 0
    },
  }
`

/** Changes the settings that the page contains. The settings of the server stay. */
async function changeSettings(page: Page, changes: Partial<PublicSettings>): Promise<void> {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const body = (await response.text()).replace(
      /(id="settings"[^>]*>)([^<]*)/,
      (_, tag: string, json: string) =>
        tag + JSON.stringify({ ...(JSON.parse(json) as PublicSettings), ...changes }),
    )
    await route.fulfill({ response, body })
  })
}

test.describe('the captcha', () => {
  test.beforeEach(async ({ page }) => {
    await changeSettings(page, { ReCaptcha: true, ReCaptchaHost: CAPTCHA, ReCaptchaKey: 'site' })
  })

  test('the captcha is required before sign-in, again for each attempt @spec-2.9 @spec-5.1', async ({
    page,
    login,
    server,
  }) => {
    const sent: unknown[] = []
    await page.route(`${CAPTCHA}/**`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: CAPTCHA_SCRIPT }),
    )
    page.on('request', (request) => {
      if (request.url().endsWith('/api/login')) sent.push(request.postDataJSON())
    })
    await login.open()
    await login.logIn(server.username, server.password)
    await expect(login.error).toContainText('Solve the captcha first.')
    expect(sent).toEqual([])
    const person = page.getByRole('button', { name: 'A person, says site' })
    await person.click()
    await login.logIn(server.username, 'wrong')
    await expect(login.error).toContainText('Wrong username or password.')
    await expect.poll(() => sent.length).toBe(1)
    // The refusal discards the response of the captcha.
    await expect(login.button).toBeEnabled()
    await person.click()
    await login.logIn(server.username, server.password)
    await expect(new FilesPage(page).status).toBeVisible()
    expect(sent).toMatchObject([{ recaptcha: 'answer 1' }, { recaptcha: 'answer 2' }])
  })

  test('the login page shows an error if the captcha cannot be loaded @spec-2.9', async ({
    page,
  }) => {
    await page.route(`${CAPTCHA}/**`, (route) => route.abort())
    await page.goto('./login')
    await expect(page.getByRole('alert')).toContainText('could not be loaded')
  })
})

test('after too many attempts the login page shows a countdown', async ({
  page,
  login,
  server,
}) => {
  await page.clock.install()
  await login.open()
  await page.route('**/api/login', (route) =>
    route.fulfill({ status: 429, headers: { 'Retry-After': '24' }, body: 'Too many attempts.' }),
  )
  // Only the test advances the clock: a slow machine would count down too far.
  await page.clock.pauseAt(Date.now() + 60_000)
  await login.logIn(server.username, 'wrong')
  await expect(login.error).toContainText('Try again in 24 seconds.')
  await page.clock.runFor(4000)
  await expect(login.error).toContainText('Try again in 20 seconds.')
  await page.clock.runFor(19_000)
  await expect(login.error).toContainText('Try again in 1 second.')
  await page.clock.runFor(1000)
  await expect(login.error).not.toContainText('Try again in')
})

test('a busy server is not reported as too many attempts, and a page of a proxy is no session', async ({
  page,
  login,
  server,
}) => {
  await login.open()
  await page.route('**/api/login', (route) =>
    route.fulfill({ status: 503, headers: { 'Retry-After': '24' }, body: '' }),
  )
  await login.logIn(server.username, 'wrong')
  await expect(login.error).toContainText('Try again in')
  await expect(login.error).not.toContainText('Too many attempts')
  await page.unroute('**/api/login')
  await page.route('**/api/login', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p>Accept the terms.</p>' }),
  )
  await login.logIn(server.username, 'wrong')
  await expect(login.error).not.toContainText('Try again in')
  await expect(login.button).toBeEnabled()
})

test.describe('an expired session', () => {
  test('an expired session redirects to the login page, which gives the reason and redirects back', async ({
    page,
    server,
    login,
    files,
  }) => {
    await page.clock.install()
    await files.open('/')
    await page.goto('./settings/profile')
    await expect(new SettingsPage(page).title).toBeVisible()
    await page.clock.fastForward('24:00:00')
    await expect(page).toHaveURL(/\/login\?redirect=.*&logout-reason=inactivity$/)
    await expect(page.getByRole('status')).toContainText('without activity')
    await page.reload()
    await expect(page.getByRole('status')).toContainText('without activity')
    await page.clock.setSystemTime(new Date())
    await login.logIn(server.username, server.password)
    await expect(page).toHaveURL(/\/settings\/profile$/)
  })

  test('an expired session asks for the password on the same page while there are unsaved changes', async ({
    page,
    server,
    files,
    settings,
  }) => {
    await page.clock.install()
    await files.open('/')
    await settings.open('global')
    await settings.group('Branding').getByLabel('Name', { exact: true }).fill('Half typed')
    await page.clock.fastForward('24:00:00')
    await expect(settings.prompt.card).toContainText('Your session has ended')
    await page.clock.setSystemTime(new Date())
    await settings.prompt.card.getByLabel('Password', { exact: true }).fill(server.password)
    await settings.prompt.button('Log in').click()
    await expect(settings.prompt.card).toBeHidden()
    await expect(settings.field('Name')).toHaveValue('Half typed')
  })
})

test('a server without a login page signs the user in at once and again after the session, and offers no logout', async ({
  page,
  server,
  admin,
}) => {
  await changeSettings(page, { AuthMethod: 'noauth', NoAuth: true, LoginPage: false })
  const sent: unknown[] = []
  await page.route('**/api/login', async (route) => {
    sent.push(route.request().postDataJSON())
    const { token } = await signIn(server.url, server.username, server.password)
    await route.fulfill({ contentType: 'text/plain', body: token })
  })
  await page.goto('./')
  const files = new FilesPage(page)
  await expect(files.status).toBeVisible()
  await expect(files.sidebar('Help')).toBeVisible()
  await expect(files.sidebar('Log out')).toBeHidden()
  expect(sent).toHaveLength(1)

  const sessions = await (await admin.call('GET', '/api/sessions')).json()
  for (const { id, current } of sessions) {
    if (current) continue
    expect((await admin.call('DELETE', `/api/sessions/${id}`)).status).toBe(200)
  }
  await new SettingsPage(page).entry.click()
  await expect(new SettingsPage(page).devices('Your devices').first()).toContainText('This device')
  const empty = expect.objectContaining({ username: '', password: '' })
  expect(sent).toEqual([empty, empty])
})
