/** Settings → Access: what people without a session, and other servers, need to know. */
import { expect, test } from '../../fixtures.ts'

test.use({ ownServer: true })

test('the public address is taken from this page with a click, and a wrong one is explained in its row', async ({
  page,
  server,
  settings,
}) => {
  await settings.open('global/access')
  const field = settings.field('Public address')
  await field.fill('files.example.org')
  await settings.save.click()
  await expect(page.getByRole('alert')).toContainText('This is not a public address.')
  await expect(field).toHaveValue('files.example.org')
  // Passkeys need a name, so it takes the place of 127.0.0.1.
  const address = server.url.replace('127.0.0.1', 'localhost')
  await page.getByRole('button', { name: `Use the address of this page: ${address}` }).click()
  await settings.save.click()
  await expect(settings.toasts).toContainText('Settings saved')
  await page.reload()
  await expect(field).toHaveValue(address)
})

test('the login page answers people who forgot their password, if the administrator wrote an answer', async ({
  settings,
  browser,
  server,
}) => {
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(`${server.url}/login`)
  await expect(visitor.getByRole('button', { name: 'Log in' })).toBeVisible()
  await expect(visitor.getByText('Forgot your password?')).toHaveCount(0)

  await settings.open('global/access')
  await settings.field('Help for a forgotten password').fill('Ask Ida in room 5, <b>in person</b>.')
  await settings.save.click()
  await expect(settings.toasts).toContainText('Settings saved')
  await visitor.reload()
  const answer = visitor.getByText('Ask Ida in room 5, <b>in person</b>.')
  await expect(answer).toBeHidden()
  await visitor.getByText('Forgot your password?').click()
  await expect(answer).toBeVisible()
  await visitor.context().close()
})
