/** The time before the first page is shown: renewal of the token, captcha, and redirects. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TOKEN_STORAGE_KEY } from '#wire/api/session.ts'
import type { PublicSettings } from '#wire/api/settings.ts'
import { gate } from '../../../support/storage/gate.ts'
import { expect, test } from '../../fixtures.ts'
import { pathOf, requestsAfterReload } from '../../requests.ts'

test('a stored token is renewed before the page is shown @spec-2.8', async ({
  files,
  page,
  server,
}) => {
  await files.openRoot()
  writeFileSync(join(server.root, 'a.txt'), '')
  const stored = () => page.evaluate((key) => localStorage.getItem(key), TOKEN_STORAGE_KEY)
  const before = await stored()
  const calls = await requestsAfterReload(page, (request) => pathOf(request).startsWith('/api/'))
  await files.shows('a.txt')
  const renewal = calls[0]
  expect(renewal && `${renewal.method()} ${pathOf(renewal)}`).toBe('POST /api/renew')
  expect(renewal?.headers()['x-auth']).toBe(before)
  const answer = await renewal?.response()
  expect(answer?.status()).toBe(200)
  expect(await stored()).toBe(await answer?.text())
  expect(await stored()).not.toBe(before)
})

test('the first page waits for the captcha’s script @spec-2.9', async ({ page, login }) => {
  const host = 'https://captcha.test'
  await page.route('**/login', async (route) => {
    const response = await route.fetch()
    const changes = { ReCaptcha: true, ReCaptchaHost: host, ReCaptchaKey: 'site' }
    const body = (await response.text()).replace(
      /(id="settings"[^>]*>)([^<]*)/,
      (_, tag: string, json: string) =>
        tag + JSON.stringify({ ...(JSON.parse(json) as PublicSettings), ...changes }),
    )
    await route.fulfill({ response, body })
  })
  const requested = gate()
  const released = gate()
  await page.route(`${host}/**`, async (route) => {
    requested.open()
    await released.opened
    const body = 'window.grecaptcha = { ready: (run) => run(), render: () => 0 }'
    await route.fulfill({ contentType: 'text/javascript', body })
  })
  // The page waits five seconds at most. Only the test advances the clock.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.goto('./login', { waitUntil: 'commit' })
  await requested.opened
  await page.clock.runFor(4000)
  await expect(login.button).toBeHidden()
  released.open()
  await expect(login.button).toBeVisible()
})

test('an unknown URL redirects to the same path below the files @spec-2.7', async ({
  files,
  page,
  server,
}) => {
  mkdirSync(join(server.root, 'docs/a%23b'), { recursive: true })
  writeFileSync(join(server.root, 'docs/a%23b/in.txt'), '')
  await page.goto('./docs/a%2523b/')
  await expect(page).toHaveURL(`${server.url}/files/docs/a%2523b/`)
  await files.shows('in.txt')
  await page.goto('./')
  await expect(page).toHaveURL(`${server.url}/files/`)
  await files.shows('docs')
})
