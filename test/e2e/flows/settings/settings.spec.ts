import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright/test'
import { API } from '#wire/api/routes.ts'
import { signIn } from '../../../support/server/client.ts'
import { gate } from '../../../support/storage/gate.ts'
import { expect, test } from '../../fixtures.ts'
import { FilesPage } from '../../pages/FilesPage.ts'
import { LoginPage } from '../../pages/LoginPage.ts'
import { SettingsPage } from '../../pages/SettingsPage.ts'
import { PASSWORD } from '../../users.ts'

test.use({ ownServer: true })

const OTHER_PASSWORD = 'midnight sun over Reine'

/** Signs a user in with another browser. */
async function signInOtherBrowser(browser: Browser, username: string, password: string) {
  const page = await (await browser.newContext()).newPage()
  const login = new LoginPage(page)
  await login.open()
  await login.logIn(username, password)
  await expect(new FilesPage(page).status).toBeVisible()
  return { page, settings: new SettingsPage(page), files: new FilesPage(page), login }
}

/** Changes settings of the instance, as a script would. */
async function configure(url: string, password: string, changes: object): Promise<void> {
  const admin = await signIn(url, 'admin', password)
  const answer = await admin.call('PUT', API.settings, changes)
  expect(answer.status).toBe(200)
}

test.describe('one’s own profile', () => {
  test('a preference is saved at once, and is kept after a reload @spec-2.51', async ({
    page,
    files,
    server,
    settings,
  }) => {
    await files.openRoot()
    writeFileSync(join(server.root, '.hidden'), '')
    writeFileSync(join(server.root, 'shown'), '')
    await settings.entry.click()
    await expect(page).toHaveURL(/\/settings\/profile$/)
    await expect(page).toHaveTitle('Profile - filemgr')
    await settings.toggle('Hide hidden files (.name)').click()
    await settings.field('Dates').selectOption('exact')
    await expect(settings.toasts).toContainText('Settings saved')
    await page.reload()
    await expect(settings.toggle('Hide hidden files (.name)')).toBeChecked()
    await expect(settings.field('Dates')).toHaveValue('exact')
    await files.open('/')
    await files.shows('shown')
  })

  test('a refused preference is reverted', async ({ page, settings }) => {
    await settings.open('profile')
    await page.route('**/api/users/*', (route) => route.fulfill({ status: 500 }))
    await settings.toggle('Hide hidden files (.name)').click()
    await expect(settings.toasts).toContainText('The server had a problem')
    await expect(settings.toggle('Hide hidden files (.name)')).not.toBeChecked()
  })

  test('a new password ends the sessions of other devices, and this one stays', async ({
    page,
    server,
    browser,
    settings,
  }) => {
    const other = await signInOtherBrowser(browser, server.username, server.password)
    await settings.open('profile')
    await expect(settings.devices('Your devices')).toHaveCount(2)
    await settings.field('New password').fill(PASSWORD)
    await settings.field('Repeat new password').fill(`${PASSWORD}?`)
    await expect(settings.group('Password')).toContainText('The passwords do not match.')
    await expect(settings.button('Change password')).toBeDisabled()
    await settings.field('Repeat new password').fill(PASSWORD)
    await expect(settings.group('Password')).toContainText('The passwords match.')
    await settings.button('Change password').click()
    await settings.confirm('not my password')
    await expect(settings.prompt.card).toContainText('That is not your password')
    await settings.confirm(server.password)
    await expect(settings.toasts).toContainText('Password changed')
    await expect(settings.devices('Your devices')).toHaveCount(1)

    await page.reload()
    await expect(settings.title).toHaveText('Profile')
    await other.page.reload()
    await expect(other.login.button).toBeVisible()
    await other.login.logIn('admin', PASSWORD)
    await expect(other.files.status).toBeVisible()
  })

  test('a password that is too short is explained, and the typed text stays @spec-5.5', async ({
    page,
    settings,
  }) => {
    await settings.open('profile')
    await settings.field('New password').fill('short')
    await settings.field('Repeat new password').fill('short')
    const asked = page.waitForResponse((answer) => answer.url().includes('/api/users/'))
    await settings.button('Change password').click()
    expect((await asked).status()).toBe(400)
    await expect(settings.group('Password')).toContainText('at least 12 characters')
    await expect(settings.prompt.card).toBeHidden()
    await expect(settings.field('New password')).toHaveValue('short')
  })

  test('each user chooses the light or dark theme, for all devices', async ({
    page,
    server,
    browser,
    settings,
  }) => {
    await configure(server.url, server.password, { branding: { theme: 'dark' } })
    await settings.open('profile')
    const shown = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    await expect(settings.field('Theme')).toHaveValue('dark')
    expect(await shown()).toBe('dark')
    const stored = page.waitForResponse(
      (response) =>
        response.url().endsWith(API.appearance) && response.request().method() === 'PUT',
    )
    await settings.field('Theme').selectOption('Light')
    await expect.poll(shown).toBe('light')
    expect((await stored).status()).toBe(200)

    const other = await browser.newPage({ baseURL: `${server.url}/` })
    const login = new LoginPage(other)
    await login.open()
    const scheme = () =>
      other.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect(await scheme()).toBe('dark')
    await login.logIn(server.username, server.password)
    await expect.poll(scheme).toBe('light')
    await other.close()
    await page.reload()
    await expect(settings.field('Theme')).toHaveValue('light')
    await expect.poll(shown).toBe('light')
    await settings.field('Theme').selectOption('System')
    await expect.poll(shown).toBe('light dark')
  })

  test('the user ends the session of another device', async ({ server, browser, settings }) => {
    const other = await signInOtherBrowser(browser, server.username, server.password)
    await settings.open('profile')
    await expect(settings.devices('Your devices').first()).toContainText('This device')
    await settings.devices('Your devices').last().getByRole('button').click()
    await expect(settings.devices('Your devices')).toHaveCount(1)
    await other.page.reload()
    await expect(other.login.button).toBeVisible()
  })

  test('a user without rights sees only their own profile @spec-2.12 @spec-6.1', async ({
    page,
    files,
    server,
    settings,
  }) => {
    await settings.create('ben', PASSWORD, server.password)
    const share = settings.permission('Share')
    await share.uncheck()
    await settings.toggle('Lock password').click()
    await settings.save.click()
    await settings.confirm(server.password)
    await expect(settings.toasts).toContainText('User saved')
    await files.sidebar('Log out').click()
    const login = new LoginPage(page)
    await login.logIn('ben', PASSWORD)
    await expect(files.status).toBeVisible()
    await expect(settings.entry).toBeHidden()

    await settings.open('profile')
    await expect(settings.menu.getByRole('link')).toHaveText(['Profile', 'Activity'])
    await expect(settings.group('Password')).toBeHidden()
    for (const address of ['shares', 'global', 'users', 'users/1', 'users/new']) {
      await page.goto(`./settings/${address}`)
      await expect(page).toHaveURL(/\/403$/)
    }
  })
})

test.describe('users', () => {
  test('an administrator creates a user with a home folder, changes the rights, and deletes the user @spec-2.49 @spec-2.51 @spec-4.11', async ({
    page,
    server,
    browser,
    settings,
  }) => {
    await configure(server.url, server.password, { createUserDir: true })
    await settings.open('users')
    await settings.button('New user').click()
    await expect(settings.toggle('Create a home folder')).toBeChecked()
    await expect(settings.field('Folder')).toBeDisabled()
    await settings.field('Username').fill('ana')
    await settings.field('Password').fill('short')
    await settings.button('Create user').click()
    // The password is not requested for a form with an error.
    await expect(settings.group('Account')).toContainText('at least 12 characters')
    await expect(settings.prompt.card).toBeHidden()
    await expect(settings.field('Username')).toHaveValue('ana')
    await settings.field('Password').fill(PASSWORD)
    await settings.button('Create user').click()
    await settings.confirm(server.password)
    await expect(settings.toasts).toContainText('User created')
    await expect(page).toHaveURL(/\/settings\/users\/2$/)
    await expect(page).toHaveTitle('ana - filemgr')
    await expect(settings.field('Folder')).toHaveValue('/users/ana')
    expect(existsSync(join(server.root, 'users/ana'))).toBe(true)

    const ana = await signInOtherBrowser(browser, 'ana', PASSWORD)
    await expect(ana.files.sidebar('New folder')).toBeVisible()
    await expect(settings.permission('Download')).toBeDisabled()
    await settings.permission('Administrator').check()
    await expect(settings.permission('Delete')).toBeDisabled()
    await expect(settings.toggle('Lock password')).toBeDisabled()
    await settings.permission('Administrator').uncheck()
    await settings.permission('Create').uncheck()
    await settings.save.click()
    await settings.confirm(server.password)
    await expect(settings.toasts).toContainText('User saved')
    await ana.page.reload()
    await ana.login.logIn('ana', PASSWORD)
    await expect(ana.files.status).toBeVisible()
    await expect(ana.files.sidebar('New folder')).toBeHidden()

    await settings.button('Delete user…').click()
    await settings.confirm('wrong')
    await expect(settings.prompt.card).toContainText('That is not your password')
    await settings.confirm(server.password)
    await expect(settings.toasts).toContainText('User deleted')
    await expect(settings.users.getByRole('row')).toHaveCount(2)
    await ana.page.reload()
    await expect(ana.login.button).toBeVisible()
  })

  test('a taken user name is reported at its field, and everything typed stays', async ({
    settings,
  }) => {
    await settings.open('users/new')
    await settings.field('Username').fill('admin')
    await settings.field('Password').fill(PASSWORD)
    await settings.permission('Delete').uncheck()
    await settings.button('Create user').click()
    await expect(settings.group('Account')).toContainText('This username is taken')
    await expect(settings.prompt.card).toBeHidden()
    await expect(settings.field('Password')).toHaveValue(PASSWORD)
    await expect(settings.permission('Delete')).not.toBeChecked()
  })

  test('the last administrator cannot lose the right', async ({ server, settings }) => {
    await settings.open('users')
    await settings.edit('admin')
    await settings.permission('Administrator').uncheck()
    await settings.save.click()
    await expect(settings.error).toContainText('This is the only administrator')
    await expect(settings.prompt.card).toBeHidden()
    await expect(settings.permission('Administrator')).not.toBeChecked()
    await settings.button('Delete user…').click()
    await settings.confirm(server.password)
    await expect(settings.error).toContainText('This is the only administrator')
  })

  test('a user who changes their own name stays signed in', async ({ page, server, settings }) => {
    await settings.open('users')
    await settings.edit('admin')
    await settings.field('Username').fill('root')
    await settings.save.click()
    await settings.confirm(server.password)
    await expect(settings.toasts).toContainText('User saved')
    await expect(settings.title).toHaveText(/root$/)
    await page.reload()
    await expect(settings.title).toHaveText(/root$/)
  })

  test('rules are added, ordered and applied @spec-2.51', async ({
    page,
    server,
    browser,
    settings,
  }) => {
    mkdirSync(join(server.root, 'open'))
    mkdirSync(join(server.root, 'closed'))
    writeFileSync(join(server.root, 'a.key'), '')
    await settings.create('ana', PASSWORD, server.password)
    await settings.button('New rule').click()
    await page.keyboard.type('closed')
    await settings.button('New rule').click()
    await settings.field('Rule 2: kind').selectOption('regex')
    await settings.field('Rule 2: path or pattern').fill('(')
    await expect(settings.error).toContainText('is not valid')
    await settings.save.click()
    await expect(settings.error.last()).toContainText('Correct or remove it')
    await settings.field('Rule 2: path or pattern').fill('\\.key$')
    await settings.field('Rule 1: allow or deny').selectOption('allow')
    await settings.button('New rule').click()
    await page.keyboard.type('/')
    await settings.button('Move rule 3 up').click()
    await settings.button('Move rule 2 up').click()
    await settings.save.click()
    await settings.confirm(server.password)
    await expect(settings.toasts).toContainText('User saved')
    await page.reload()
    await expect(settings.field('Rule 1: path or pattern')).toHaveValue('/')
    await expect(settings.field('Rule 2: path or pattern')).toHaveValue('/closed')
    await expect(settings.field('Rule 3: path or pattern')).toHaveValue('\\.key$')
    await settings.button('Remove rule 1').click()
    await settings.field('Rule 1: allow or deny').selectOption('deny')
    await settings.save.click()
    await settings.confirm(server.password)
    await expect(settings.toasts).toContainText('User saved')

    const ana = await signInOtherBrowser(browser, 'ana', PASSWORD)
    await ana.files.shows('open')
  })

  test('unsaved changes are not lost by a click on a link', async ({ server, settings }) => {
    await settings.create('ana', PASSWORD, server.password)
    await settings.field('Username').fill('anna')
    await settings.menu.getByRole('link', { name: 'Profile' }).click()
    await settings.prompt.button('Keep editing').click()
    await expect(settings.field('Username')).toHaveValue('anna')
    await settings.menu.getByRole('link', { name: 'Profile' }).click()
    await settings.prompt.button('Discard changes').click()
    await expect(settings.title).toHaveText('Profile')
  })

  test('an administrator ends the session of another user', async ({
    server,
    browser,
    settings,
  }) => {
    await settings.create('ana', PASSWORD, server.password)
    const ana = await signInOtherBrowser(browser, 'ana', PASSWORD)
    await settings.open('users')
    const theirs = settings.devices('Logged in now').filter({ hasText: 'ana' })
    await theirs.getByRole('button', { name: 'Log out ana' }).click()
    await expect(settings.prompt.card).toContainText('Log out ana?')
    await settings.prompt.button('Log out').click()
    await expect(theirs).toHaveCount(0)
    await ana.page.reload()
    await expect(ana.login.button).toBeVisible()
  })
})

test('the filter of the users also filters their devices; the list says when they last logged in', async ({
  page,
  server,
  browser,
  settings,
}) => {
  await settings.create('ana', PASSWORD, server.password)
  await settings.create('ben', PASSWORD, server.password)
  await signInOtherBrowser(browser, 'ana', PASSWORD)
  await settings.open('users')
  const users = page.getByRole('table', { name: 'Users' }).getByRole('row')
  await expect(users.filter({ hasText: 'ben' })).toContainText('Never logged in')
  await expect(users.filter({ hasText: 'ana' })).toContainText('Today')
  const devices = settings.devices('Logged in now')
  await expect(devices).toHaveCount(2)
  await page.getByRole('searchbox').fill('ana')
  await expect(devices).toHaveCount(1)
  await expect(devices).toContainText('ana')
  await page.getByRole('searchbox').fill('ben')
  await expect(devices).toHaveCount(0)
  await expect(users.filter({ hasText: 'ben' })).toBeVisible()
})

test('the folder of an account is chosen, or created, in the picker of folders', async ({
  page,
  server,
  settings,
}) => {
  await settings.open('users/new')
  await settings.field('Username').fill('eve')
  await settings.field('Password').first().fill(PASSWORD)
  await page.getByRole('button', { name: 'Choose a folder' }).click()
  const { card } = settings.prompt
  await card.getByRole('button', { name: 'New folder' }).click()
  await card.getByRole('textbox', { name: 'New folder' }).fill('eve')
  await page.keyboard.press('Enter')
  await expect(card.getByText('/eve', { exact: true })).toBeVisible()
  await card.getByRole('button', { name: 'Choose', exact: true }).click()
  await expect(settings.field('Folder')).toHaveValue('/eve')
  expect(existsSync(join(server.root, 'eve'))).toBe(true)
  await settings.button('Create user').click()
  await settings.confirm(server.password)
  await expect(settings.toasts).toContainText('User created')
})

test.describe('the instance', () => {
  test('the instance name is updated at once, in the title and after a reload @spec-2.11', async ({
    page,
    settings,
  }) => {
    await settings.open('global')
    await expect(page).toHaveTitle('Server settings - filemgr')
    await settings.field('Name').fill('Fjord & Sons')
    await settings.group('Branding').getByLabel('Colour', { exact: true }).fill('teal')
    await settings.field('Theme').selectOption('dark')
    await settings.save.click()
    await expect(settings.toasts).toContainText('Settings saved')
    await expect(page).toHaveTitle('Server settings - Fjord & Sons')
    await page.reload()
    await expect(page).toHaveTitle('Server settings - Fjord & Sons')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await settings.field('Name').fill('')
    await settings.button('Discard changes').click()
    await expect(settings.field('Name')).toHaveValue('Fjord & Sons')
  })

  test('only what has changed can be saved, and the focus stays on the button', async ({
    page,
    settings,
  }) => {
    let saves = 0
    page.on('request', (request) => {
      if (request.method() === 'PUT') saves += 1
    })
    await settings.open('global')
    await expect(settings.save).toBeDisabled()
    await expect(settings.save).toHaveAccessibleDescription('No changes to save')
    await settings.field('Name').press('Enter')
    await settings.save.focus()
    await settings.save.press('Enter')
    await settings.field('Name').fill('Fjord')
    await expect(settings.save).toBeEnabled()
    await settings.field('Name').fill('')
    await expect(settings.save).toBeDisabled()
    await settings.field('Name').fill('Fjord')
    expect(saves).toBe(0)
    await settings.save.focus()
    await settings.save.press('Enter')
    await expect(settings.toasts).toContainText('Settings saved')
    await expect(settings.save).toBeDisabled()
    await expect(settings.save).toBeFocused()
    expect(saves).toBe(1)

    await page.goto('./settings/users/1')
    await expect(settings.save).toBeDisabled()
    await settings.field('Language').selectOption('de')
    await expect(settings.save).toBeEnabled()
    await page.reload()
    await settings.open('users/new')
    await expect(settings.button('Create invitation')).toBeEnabled()
  })

  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    test(`each section has an address, and Back leads to the one before: ${width} px`, async ({
      page,
      settings,
    }) => {
      await page.setViewportSize({ width, height })
      await settings.open('global')
      const sections = page.getByRole('navigation', { name: 'Server settings' })
      await sections.getByRole('link', { name: 'Uploads' }).click()
      await expect(page).toHaveURL(/\/settings\/global\/uploads$/)
      await expect(settings.group('Uploads')).toBeVisible()
      await expect(settings.group('Branding')).toHaveCount(0)
      await page.reload()
      await expect(settings.field('Chunk size')).toBeVisible()
      await page.goBack()
      await expect(settings.group('Branding')).toBeVisible()
      await settings.field('Name').fill('Half typed')
      await sections.getByRole('link', { name: 'Access' }).click()
      await expect(settings.prompt.card).toContainText('Leave without saving')
      await settings.prompt.button('Keep editing').click()
      await expect(settings.field('Name')).toHaveValue('Half typed')
    })
  }

  test('what is typed while settings are saved stays', async ({ page, settings }) => {
    await settings.open('global')
    const saving = gate()
    await page.route('**/api/settings', async (route) => {
      if (route.request().method() === 'PUT') await saving.opened
      await route.continue()
    })
    await settings.field('Name').fill('Fjord')
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await settings.save.click()
    await sent
    await settings.field('Name').fill('Fjord & Sons')
    saving.open()
    await expect(settings.toasts).toContainText('Settings saved')
    await expect(settings.field('Name')).toHaveValue('Fjord & Sons')
    await expect(settings.button('Discard changes')).toBeVisible()
  })

  test('the chunk size is a text that is parsed after a pause @spec-5.6', async ({
    page,
    settings,
  }) => {
    await page.clock.install()
    await settings.open('global/uploads')
    const size = settings.field('Chunk size')
    await expect(size).toBeVisible()
    // From here on only the test advances the clock, so that a slow machine is not taken for a pause.
    await page.clock.pauseAt(Date.now() + 60_000)
    await size.fill('0.5 GB')
    await page.clock.runFor(1400)
    await expect(size).toHaveValue('0.5 GB')
    await page.clock.runFor(200)
    await expect(size).toHaveValue('512 MiB')
    await size.fill('nonsense')
    await page.clock.runFor(1600)
    await expect(size).toHaveValue('1 MiB')
    await page.clock.resume()
    await size.fill('20 MB')
    await size.press('Enter')
    await expect(settings.toasts).toContainText('Settings saved')
    await page.reload()
    await expect(size).toHaveValue('20 MiB')
  })

  test('sign-up without home folders is refused at its switch, and accepted with them @spec-2.10 @spec-8.1', async ({
    server,
    browser,
    settings,
  }) => {
    await settings.open('global/access')
    await settings.toggle('Sign-up').click()
    await settings.save.click()
    await expect(settings.group('Access').getByRole('alert')).toContainText(
      'Open sign-up needs a folder for each person: switch on “A home folder for each new user”',
    )
    await settings.toggle('A home folder for each new user').click()
    await settings.save.click()
    await expect(settings.toasts).toContainText('Settings saved')

    const visitor = await (await browser.newContext()).newPage()
    const login = new LoginPage(visitor)
    await login.open()
    await login.toSignUp()
    await login.signUp('zoë', 'short', 'different')
    await expect(visitor.getByText('The passwords do not match.')).toBeVisible()
    await login.signUp('zoë', 'short', 'short')
    await expect(login.error).toContainText('at least 12 characters')
    await login.signUp('admin', PASSWORD, PASSWORD)
    await expect(login.error).toContainText('This username is taken')
    // The account is created and the sign-in fails: the next attempt only signs in.
    await visitor.route('**/api/login', (route) => route.fulfill({ status: 503, body: '' }))
    await login.signUp('zoe', PASSWORD, PASSWORD)
    await expect(login.error).toBeVisible()
    await visitor.unroute('**/api/login')
    await login.signUp('zoe', PASSWORD, PASSWORD)
    await expect(new FilesPage(visitor).status).toBeVisible()
    expect(existsSync(join(server.root, 'users/zoe'))).toBe(true)
  })
})

test('shares are listed with their visits, copied and deleted @spec-2.51', async ({
  page,
  server,
  context,
  browser,
  settings,
  admin,
}) => {
  await settings.open('shares')
  await expect(page.getByText('Nothing is shared')).toBeVisible()
  mkdirSync(join(server.root, 'docs'))
  writeFileSync(join(server.root, 'a%23b.txt'), 'x')
  await admin.call('POST', `${API.share}/docs/`, { expires: '7', unit: 'days' })
  await admin.call('POST', `${API.share}/a%2523b.txt`, { password: 'x' })
  await page.reload()
  const docs = settings.shares.getByRole('row').filter({ hasText: '/docs/' })
  const locked = settings.shares.getByRole('row').filter({ hasText: '/a%23b.txt' })
  await expect(docs).toContainText('7 days left')
  await expect(docs.getByRole('cell', { name: '0', exact: true })).toBeVisible()
  await expect(docs).toContainText('admin')
  await expect(locked).toContainText('No expiry')
  await expect(locked).toContainText('Password')

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await settings.button('Copy the link to /docs/').click()
  await expect(settings.toasts).toContainText('Link copied')
  const url = await page.evaluate(() => navigator.clipboard.readText())
  await expect(docs.getByRole('link')).toHaveAttribute('href', new URL(url).pathname)
  const visitor = await browser.newContext()
  const visited = await visitor.newPage()
  await visited.goto(url)
  await expect(visited.getByRole('heading', { name: 'docs' }).first()).toBeVisible()
  await visitor.close()
  await page.reload()
  await expect(docs.getByRole('cell', { name: '1', exact: true })).toBeVisible()
  await settings.button('Delete the link to /docs/').click()
  await settings.prompt.button('Delete link').click()
  await expect(docs).toHaveCount(0)
  await expect(locked).toHaveCount(1)
})

test('older sessions of a device are folded, and each can be ended', async ({
  page,
  server,
  settings,
}) => {
  for (let count = 0; count < 3; count += 1) await signIn(server.url, 'admin', server.password)
  await settings.open('profile')
  const rows = settings.devices('Your devices')
  const device = rows.filter({ hasNotText: 'This device' }).filter({ hasText: 'last seen' })
  await expect(rows.filter({ hasText: 'This device' })).toHaveCount(1)
  const older = page.getByRole('button', { name: /^2 older sessions$/ })
  await expect(older).toHaveAttribute('aria-expanded', 'false')
  await expect(device).toHaveCount(1)
  await older.press('Enter')
  await expect(older).toHaveAttribute('aria-expanded', 'true')
  await expect(device).toHaveCount(3)
  await device
    .last()
    .getByRole('button', { name: /^Log out/ })
    .click()
  await expect(settings.toasts).toContainText('The device is logged out')
  await expect(device).toHaveCount(2)
  await expect(page.getByRole('button', { name: /older session/ })).toBeHidden()
  const admin = await signIn(server.url, 'admin', server.password)
  expect((await (await admin.call('GET', API.sessions)).json()).length).toBe(4)
})

test.describe('a session that ends while the user edits a form', () => {
  test('the password is requested on the same page, and the form is saved @spec-8.2', async ({
    page,
    server,
    settings,
  }) => {
    await settings.open('global')
    await settings.field('Name').fill('Typed before')
    await endOtherSessions(server.url, server.password)
    // An event and no click: a background request may already have opened the dialog, which covers the button.
    await settings.save.dispatchEvent('click')
    await expect(settings.prompt.card).toContainText('Your session has ended')
    await settings.prompt.card.getByLabel('Password', { exact: true }).fill('wrong')
    await settings.prompt.button('Log in').click()
    await expect(settings.prompt.card.getByRole('alert')).toContainText(
      'Wrong username or password',
    )
    await settings.prompt.card.getByLabel('Password', { exact: true }).fill(server.password)
    await settings.prompt.button('Log in').click()
    await expect(settings.toasts).toContainText('Settings saved')
    await expect(page).toHaveTitle('Server settings - Typed before')
  })

  test('the password dialog offers the login page, which redirects back @spec-8.2', async ({
    page,
    server,
    login,
    settings,
  }) => {
    await settings.open('global')
    await settings.field('Name').fill('Typed before')
    await endOtherSessions(server.url, server.password)
    await settings.save.dispatchEvent('click')
    await settings.prompt.button('Go to login').click()
    await expect(page).toHaveURL(/\/login\?redirect=/)
    await login.logIn(server.username, server.password)
    await expect(settings.title).toHaveText('Server settings')
  })
})

test('a user is created and edited by keyboard alone', async ({ page, server, settings }) => {
  await settings.open('users/new')
  await expect(settings.field('Username')).toBeFocused()
  await page.keyboard.type('ana')
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(settings.prompt.card.getByLabel('Your password')).toBeFocused()
  await page.keyboard.type(server.password)
  await page.keyboard.press('Enter')
  await expect(settings.toasts).toContainText('User created')
  await settings.permission('Delete').focus()
  await page.keyboard.press('Space')
  await expect(settings.permission('Delete')).not.toBeChecked()
  await settings.field('Username').press('Enter')
  await page.keyboard.type(OTHER_PASSWORD)
  await page.keyboard.press('Escape')
  await expect(settings.prompt.card).toBeHidden()
  await expect(settings.permission('Delete')).not.toBeChecked()
})

/** Ends all sessions except the one that it opens for that. */
async function endOtherSessions(url: string, password: string): Promise<void> {
  const admin = await signIn(url, 'admin', password)
  const all = await (await admin.call('GET', `${API.sessions}?all=true`)).json()
  for (const { id, current } of all) {
    if (!current) await admin.call('DELETE', `${API.sessions}/${id}`)
  }
}

test('users are filtered by name and folder', async ({ settings, page }) => {
  await settings.open('users')
  const rows = settings.users.getByRole('rowheader')
  await expect(rows).not.toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill('none has this name')
  await expect(rows).toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill('ADM')
  await expect(rows.filter({ hasText: 'admin' })).toHaveCount(1)
})
