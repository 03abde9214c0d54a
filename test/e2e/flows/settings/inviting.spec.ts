/** The first steps of the administrator, and invited users. */
import { expect, test } from '../../fixtures.ts'
import { InvitePage } from '../../pages/InvitePage.ts'
import { pathOf, requestsAfterReload } from '../../requests.ts'
import { PASSWORD } from '../../users.ts'

test.use({ ownServer: true })

test.describe('first steps', () => {
  test.use({ firstSteps: true })

  test('first steps link to the password and to users, and stay hidden after they are dismissed @spec-2.1', async ({
    page,
    files,
    server,
    settings,
  }) => {
    await files.openRoot()
    const card = page.getByRole('region', { name: 'First steps' })
    await expect(card).toContainText('can be reached only from this computer')
    await expect(card.getByRole('link', { name: /Add people/ })).toHaveAttribute(
      'href',
      /\/settings\/users/,
    )
    await card.getByRole('link', { name: /Change your password/ }).click()
    await settings.field('New password').fill(PASSWORD)
    await settings.field('Repeat new password').fill(PASSWORD)
    await settings.button('Change password').click()
    await settings.confirm(server.password)
    await expect(settings.toasts).toContainText('Password changed')
    await files.open('/')
    await expect(card.getByRole('link', { name: 'Password changed' })).toBeVisible()

    // The card and the details are beside each other.
    await files.action('Details').click()
    await expect(files.details).toBeVisible()
    await expect(card.getByRole('link', { name: 'Password changed' })).toBeVisible()
    const [cardBox, detailsBox] = [await card.boundingBox(), await files.details.boundingBox()]
    expect((cardBox?.x ?? 0) + (cardBox?.width ?? 0)).toBeLessThanOrEqual(detailsBox?.x ?? 0)
    await files.action('Details').click()

    await card.getByRole('button', { name: 'Dismiss first steps' }).click()
    await expect(card).toBeHidden()
    const asked = await requestsAfterReload(
      page,
      (request) => pathOf(request) === '/api/first-steps',
    )
    await expect(files.status).toBeVisible()
    await expect
      .poll(async () => (await asked[0]?.response())?.json())
      .toMatchObject({ isDue: false })
    await expect(card).toBeHidden()
  })

  test('first steps show the machine’s URL for a phone @spec-2.1', async ({ page, files }) => {
    const steps = { isDue: true, changePassword: true, addPeople: true, hosts: ['192.0.2.7'] }
    await page.route('**/api/first-steps', (route) => route.fulfill({ json: steps }))
    await files.openRoot()
    const card = page.getByRole('region', { name: 'First steps' })
    const { port } = new URL(page.url())
    const url = `http://192.0.2.7:${port}/`
    await expect(card).toContainText(url)
    await expect(card.getByRole('img', { name: `QR code of ${url}` })).toBeVisible()
  })
})

test('an invited user chooses a password on another device and is signed in; the link works once @spec-2.2', async ({
  page,
  server,
  browser,
  settings,
}) => {
  await settings.open('users/new')
  await settings.field('Username').fill('ida')
  await settings.field('Folder').fill('/ida')
  await settings.button('Create invitation').click()
  await settings.confirm(server.password)
  await expect(settings.prompt.card).toContainText('Invitation for ida')
  const link = (await settings.prompt.card.getByText('/invite#').textContent()) ?? ''
  await page.keyboard.press('Escape')
  await expect(settings.group('Invitation')).toContainText('A link is open until')
  await settings.open('users')
  await expect(settings.users.getByRole('row', { name: /ida/ })).toContainText('Invited')

  const context = await browser.newContext({ baseURL: `${server.url}/` })
  const invite = new InvitePage(await context.newPage())
  await invite.open(link)
  await expect(invite.page.getByText('At least 12 characters.')).toBeVisible()
  await expect(invite.title).toHaveText('Welcome, ida')
  // Another link in the address bar of the same page changes only the fragment.
  await invite.page.evaluate(() => {
    location.hash = 'A'.repeat(32)
  })
  await expect(invite.missing).toBeVisible()
  await invite.page.evaluate((address) => {
    location.hash = new URL(address).hash
  }, link)
  await expect(invite.title).toHaveText('Welcome, ida')
  await invite.choose('short', 'short')
  await expect(invite.error).toContainText('at least 12 characters')
  await invite.choose(PASSWORD, PASSWORD)
  await expect(invite.page).toHaveURL(/\/files\/$/)
  await expect(invite.page.getByRole('link', { name: 'ida' })).toBeVisible()

  await invite.open(link)
  await expect(invite.missing).toBeVisible()
  const used = await invite.page.getByRole('main').innerText()
  await invite.open(`${server.url}/invite#${'A'.repeat(32)}`)
  await expect(invite.missing).toBeVisible()
  expect(await invite.page.getByRole('main').innerText()).toBe(used)
  await context.close()
})

test('an invitation for an existing user is created, replaced and withdrawn @spec-2.2', async ({
  server,
  browser,
  settings,
}) => {
  await settings.open('users')
  await settings.edit('admin')
  const group = settings.group('Invitation')
  await group.getByRole('button', { name: 'Create link…' }).click()
  await settings.confirm(server.password)
  await expect(settings.prompt.card).toContainText('Invitation for admin')
  const shownLink = settings.prompt.card.getByText('/invite#')
  const replaced = (await shownLink.textContent()) ?? ''
  await settings.prompt.card.getByRole('button', { name: 'Close' }).click()
  await group.getByRole('button', { name: 'New link…' }).click()
  await settings.confirm(server.password)
  await expect(shownLink).toBeVisible()
  const link = (await shownLink.textContent()) ?? ''
  await settings.prompt.card.getByRole('button', { name: 'Close' }).click()
  const context = await browser.newContext({ baseURL: `${server.url}/` })
  const invite = new InvitePage(await context.newPage())
  await invite.open(replaced)
  await expect(invite.missing).toBeVisible()
  await invite.open(link)
  await expect(invite.title).toHaveText('Welcome, admin')
  await group.getByRole('button', { name: 'Withdraw' }).click()
  await expect(settings.toasts).toContainText('Invitation withdrawn')
  await expect(group.getByRole('button', { name: 'Create link…' })).toBeVisible()
  await invite.open(link)
  await expect(invite.missing).toBeVisible()
  await context.close()
})
