/** Effects of settings: languages, editor theme, external links and storage use; and of copy buttons. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '#ui/lib/page/project.ts'
import { API } from '#wire/api/routes.ts'
import type { User } from '#wire/api/user.ts'
import { runFilemgr } from '../../../support/server/executable.ts'
import { expect, test } from '../../fixtures.ts'
import { OpenedFile } from '../../pages/OpenedFile.ts'
import { PASSWORD } from '../../users.ts'

test.use({ ownServer: true })

test('a language that is not offered shows the page in English, and stays in the account after a save @spec-9.4', async ({
  server,
  settings,
  admin,
}) => {
  await settings.create('hilde', PASSWORD, server.password)
  const people = async () => (await (await admin.call('GET', API.users)).json()) as User[]
  const hilde = (await people()).find(({ username }) => username === 'hilde')
  const change = { what: 'user', which: ['locale'], data: { ...hilde, locale: 'hr' } }
  const changed = await admin.call('PUT', `${API.users}/${hilde?.id}`, change)
  expect(changed.status).toBe(200)

  await settings.open('users')
  await settings.edit('hilde')
  await expect(settings.field('Language')).toHaveValue('en')
  const offered = settings.field('Language').getByRole('option')
  await expect(offered).toContainText(['Same as the browser', 'English'])
  await expect(offered.filter({ hasText: 'Hrvatski' })).toHaveCount(0)
  await settings.permission('Share').click()
  await settings.save.click()
  await settings.confirm(server.password)
  await expect(settings.toasts).toContainText('User saved')
  const after = (await people()).find(({ username }) => username === 'hilde')
  expect(after).toMatchObject({ locale: 'hr', perm: { share: false } })

  for (const screen of ['profile', 'global/defaults', 'users/new'] as const) {
    await settings.open(screen)
    await expect(offered).toContainText(['Same as the browser', 'English'])
  }
})

test('the editor uses the theme of the account, else the colours of the page @spec-10.6', async ({
  page,
  server,
  settings,
  admin,
}) => {
  writeFileSync(join(server.root, 'a.ts'), 'const answer = 42 // of all\n')
  const opened = new OpenedFile(page)
  await opened.open('/a.ts')
  const background = () =>
    opened.text('a.ts').evaluate((text) => {
      const editor = text.closest('.cm-editor')
      return editor && getComputedStyle(editor).backgroundColor
    })
  await expect.poll(background).toBe('rgba(0, 0, 0, 0)')

  await settings.open('profile')
  await settings.field('Editor theme').selectOption('Dracula')
  await expect(settings.toasts).toContainText('Settings saved')
  await opened.open('/a.ts')
  await expect.poll(background).toBe('rgb(40, 42, 54)')
  await expect(opened.text('a.ts').getByText('const')).toHaveCSS('color', 'rgb(255, 121, 198)')

  const [me] = (await (await admin.call('GET', API.users)).json()) as User[]
  expect(me?.aceEditorTheme).toBe('ace/theme/dracula')
})

test('without external links nothing links to the project, and errors have no report link @spec-2.12 @spec-8.8', async ({
  page,
  files,
  settings,
}) => {
  await files.openRoot()
  const sidebar = page.getByRole('complementary', { name: 'Navigation' })
  const externalLinks = () =>
    page
      .locator('a[href]')
      .evaluateAll((links) =>
        links
          .map((link) => (link as HTMLAnchorElement).href)
          .filter((href) => !href.startsWith(location.origin)),
      )
  await expect(sidebar.getByRole('link', { name: /^Version / })).toHaveAttribute(
    'href',
    PROJECT.home,
  )
  await expect(sidebar.getByRole('link', { name: 'Documentation' })).toHaveAttribute(
    'href',
    PROJECT.documentation,
  )

  await page.route('**/api/users/*', (route) => route.fulfill({ status: 500 }))
  await settings.open('profile')
  await settings.toggle('Hide hidden files (.name)').click()
  await expect(settings.toasts.getByRole('link', { name: 'Report a problem' })).toHaveAttribute(
    'href',
    PROJECT.issues,
  )
  await page.unroute('**/api/users/*')

  await settings.open('global')
  await settings.toggle('Show project links').click()
  await settings.save.click()
  await expect(settings.toasts).toContainText('Settings saved')
  await expect(sidebar.getByText(/^Version /)).toBeVisible()
  await expect.poll(externalLinks).toEqual([])

  await page.route('**/api/users/*', (route) => route.fulfill({ status: 500 }))
  await settings.open('profile')
  await settings.toggle('Hide hidden files (.name)').click()
  await expect(settings.toasts).toContainText('The server had a problem')
  expect(await externalLinks()).toEqual([])
})

test('the sidebar shows the storage use and the version @spec-2.12', async ({
  page,
  files,
  server,
}) => {
  await files.openRoot()
  const GIB = 2 ** 30
  const sidebar = page.getByRole('complementary', { name: 'Navigation' })
  const bar = sidebar.getByRole('progressbar', { name: 'Storage' })
  await expect(sidebar).toContainText(/\d [KMGTP]?i?B of [\d.,]+ [KMGTP]iB/)
  const { stdout } = await runFilemgr(['version'], { home: server.root })
  const [version = ''] = /\d+\.\d+\.\d+\S*/.exec(stdout) ?? []
  await expect(sidebar).toContainText(`Version ${version}`)

  const fill = (used: number) =>
    page.route(`**${API.usage}/**`, (route) =>
      route.fulfill({ json: { used, free: 4 * GIB - used, total: 4 * GIB } }),
    )
  await fill(3 * GIB)
  await page.reload()
  await expect(sidebar).toContainText('75%')
  await expect(sidebar).toContainText('3 GiB of 4 GiB')
  await expect(bar).toHaveAttribute('aria-valuenow', '75')
  await expect(files.status).toContainText('1 GiB free')
  await expect(bar).not.toHaveAttribute('data-tone', 'danger')
  await fill(3.9 * GIB)
  await page.reload()
  await expect(bar).toHaveAttribute('data-tone', 'danger')
})

test('a server that hides the storage use shows none and causes no request @spec-2.12', async ({
  page,
  files,
  server,
  settings,
}) => {
  await files.openRoot()
  writeFileSync(join(server.root, 'a.txt'), '')
  const bar = page.getByRole('progressbar', { name: 'Storage' })
  await expect(bar).toBeVisible()
  await settings.open('global')
  await settings.toggle('Show storage use').click()
  await settings.save.click()
  await expect(settings.toasts).toContainText('Settings saved')
  await expect(bar).toBeHidden()

  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await files.open('/')
  await files.shows('a.txt')
  await expect(bar).toBeHidden()
  await expect(files.status).toBeHidden()
  expect(asked.filter((path) => path.startsWith(API.usage))).toEqual([])

  await settings.open('global')
  await settings.toggle('Show storage use').click()
  await settings.save.click()
  await expect(bar).toBeVisible()
})

test('a storage use that cannot be loaded shows a message @spec-8.6', async ({
  page,
  files,
  server,
}) => {
  mkdirSync(join(server.root, 'docs'))
  await page.route(`**${API.usage}/**`, (route) => route.fulfill({ status: 500 }))
  await files.open('/docs')
  await expect(files.toasts).toContainText('The server had a problem')
})

test('each copy button shows a message if the browser cannot copy @spec-5.8', async ({
  page,
  files,
  server,
  settings,
  admin,
}) => {
  writeFileSync(join(server.root, 'a.txt'), 'hello')
  expect((await admin.call('POST', `${API.share}/a.txt`, {})).status).toBe(200)
  // A page over plain http, in a browser without the command `copy`.
  await page.addInitScript(() => {
    Object.defineProperty(window, 'isSecureContext', { value: false })
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  const words = 'This browser cannot copy here.'

  await settings.open('shares')
  await settings.button('Copy the link to /a.txt').click()
  await expect(settings.toasts).toContainText(words)

  await files.open('/')
  await files.select('a.txt')
  await files.action('Share').click()
  await files.prompt.button('Copy link').click()
  await expect(files.prompt.card.getByRole('alert')).toContainText(words)
  await files.prompt.button('Done').click()

  await files.action('Details').click()
  await files.details.getByRole('button', { name: 'Show checksums' }).click()
  await files.details.getByRole('button', { name: 'Copy SHA-256' }).click()
  await expect(files.toasts).toContainText(words)
})
