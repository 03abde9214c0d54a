/** THE table of screens: the pictures and the check of accessibility both go through it. */
import { expect } from 'playwright/test'
import { FileDrag } from '../pages/FileDrag.ts'
import {
  changeMeanwhile,
  changeUpload,
  dropConnection,
  forbidDeleting,
  handOver,
  holdListing,
  holdSearch,
  leaveUploads,
  makeLink,
  openInbox,
  showAs,
  upload,
} from './circumstances.ts'
import type { Stage } from './stage.ts'
import { EMPTY, GALLERY, NOW, PICTURES, PROJECT, STILLS } from './tree.ts'

export interface Screen {
  name: string
  /** Only this width has it. */
  only?: 'wide' | 'narrow'
  /** Nobody is signed in. */
  visitor?: true
  go(stage: Stage): Promise<void>
}

export const SCREENS: readonly Screen[] = [
  { name: 'login', visitor: true, go: ({ login }) => login.open() },
  {
    name: 'login-error',
    visitor: true,
    async go({ login }) {
      await login.open()
      await login.logIn('mara', 'not her password')
      await expect(login.error).toBeVisible()
    },
  },
  { name: 'listing', go: openProject },
  {
    name: 'listing-selected',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('alpenglow.jpg', 'aurora-over-uttakleiv.jpg', 'field-notes.md')
    },
  },
  {
    name: 'mosaic',
    async go(stage) {
      await openProject(stage)
      await showAs(stage, 'Mosaic')
      await stage.files.tile('aurora-over-uttakleiv.jpg').click({ modifiers: ['ControlOrMeta'] })
      await stage.files.tile('02 Interviews').click({ modifiers: ['ControlOrMeta'] })
      await expect(stage.files.thumbnails.first()).toBeVisible()
    },
  },
  {
    name: 'gallery',
    async go(stage) {
      await openProject(stage)
      await showAs(stage, 'Mosaic gallery')
      await stage.files.open(GALLERY)
      await showAs(stage, 'Mosaic gallery')
      await expect(stage.files.tile('tower.jpg').getByAltText('')).toBeVisible()
      await stage.files.tile('moonrise.jpg').click({ modifiers: ['ControlOrMeta'] })
      if (!stage.narrow) await stage.files.tile('first-snow.jpg').hover()
    },
  },
  {
    name: 'listing-filter',
    async go(stage) {
      await openProject(stage)
      await stage.files.filterButton.click()
      await stage.files.filter.fill('o')
    },
  },
  {
    name: 'listing-filter-none',
    async go(stage) {
      await openProject(stage)
      await stage.page.keyboard.press('ControlOrMeta+f')
      await stage.files.filter.fill('nowhere')
      await expect(stage.page.getByText('No name here holds')).toBeVisible()
    },
  },
  {
    name: 'download-format',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('alpenglow.jpg', 'field-notes.md')
      await stage.page.keyboard.press('ControlOrMeta+s')
      await expect(stage.files.prompt.card).toContainText('Download 2 items')
    },
  },
  {
    name: 'details-checksums',
    only: 'wide',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('fjord-dusk.jpg')
      await stage.files.action('Details').click()
      await stage.files.details.getByRole('button', { name: 'Calculate MD5' }).click()
      await stage.files.details.getByRole('button', { name: 'Calculate SHA-256' }).click()
      await expect(stage.files.details.getByRole('button', { name: 'Copy SHA-256' })).toBeVisible()
    },
  },
  {
    name: 'info',
    only: 'narrow',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('fjord-dusk.jpg')
      await stage.files.selection.getByRole('button', { name: 'More' }).click()
      await stage.files.menuItem('Details').click()
      await expect(stage.files.prompt.card).toContainText('960 × 640')
    },
  },
  {
    name: 'share-folder',
    async go(stage) {
      await stage.page.goto(await makeLink(stage, GALLERY))
      await expect(stage.page.getByText('winter-light.jpg')).toBeVisible()
      await expect(stage.page.getByRole('table').getByAltText('')).toHaveCount(
        Object.keys(STILLS).length,
      )
    },
  },
  {
    name: 'share-folder-chosen',
    async go(stage) {
      await stage.page.goto(await makeLink(stage, GALLERY))
      await stage.page.getByRole('button', { name: 'Select' }).click()
      await stage.page.getByRole('checkbox', { name: 'Select harbour-morning.jpg' }).check()
      await expect(stage.page.getByAltText('harbour-morning.jpg')).toBeVisible()
    },
  },
  {
    name: 'listing-cut',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('fjord-dusk.jpg')
      await stage.page.keyboard.press('ControlOrMeta+x')
      await stage.page.keyboard.press('Escape')
      await expect(stage.files.toasts).toContainText('ready to move')
    },
  },
  {
    name: 'listing-keyboard',
    only: 'wide',
    async go(stage) {
      await openProject(stage)
      await stage.page.keyboard.press('ArrowDown')
      await stage.page.keyboard.press('ArrowDown')
    },
  },
  {
    name: 'details',
    only: 'wide',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('alpenglow.jpg')
      await stage.files.action('Details').click()
      await expect(stage.files.details).toContainText('alpenglow.jpg')
    },
  },
  {
    name: 'details-several',
    only: 'wide',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('alpenglow.jpg', 'fjord-dusk.jpg', 'midnight-sun.jpg')
      await stage.files.action('Details').click()
      await expect(stage.files.details).toContainText('3 items')
    },
  },
  {
    name: 'folded-sidebar',
    only: 'wide',
    async go(stage) {
      await openProject(stage)
      await stage.files.sidebar('Fold sidebar').click()
      await expect(stage.files.sidebar('Unfold sidebar')).toBeVisible()
    },
  },
  {
    name: 'item-menu',
    async go(stage) {
      await openProject(stage)
      if (stage.narrow) await stage.files.more('fjord-dusk.jpg').click()
      else await stage.files.row('fjord-dusk.jpg').click({ button: 'right' })
      await expect(stage.files.menu).toBeVisible()
    },
  },
  {
    name: 'page-menu',
    only: 'wide',
    async go(stage) {
      await stage.files.open('/')
      await expect(stage.files.status).toBeVisible()
      await stage.files.grid.click({ button: 'right', position: { x: 500, y: 500 } })
      await expect(stage.files.menu).toBeVisible()
    },
  },
  {
    name: 'more-menu',
    only: 'narrow',
    async go(stage) {
      await openProject(stage)
      await stage.files.topButton('More').click()
      await expect(stage.files.menu).toBeVisible()
    },
  },
  {
    name: 'add-menu',
    only: 'narrow',
    async go(stage) {
      await openProject(stage)
      await stage.files.add.click()
      await expect(stage.files.menu).toBeVisible()
    },
  },
  {
    name: 'sort-menu',
    only: 'narrow',
    async go(stage) {
      await openProject(stage)
      await stage.files.sortedBy('Name').click()
      await expect(stage.files.menu).toBeVisible()
    },
  },
  {
    name: 'drawer',
    only: 'narrow',
    async go(stage) {
      await openProject(stage)
      await stage.files.topButton('Menu').click()
      await expect(stage.files.drawer).toBeVisible()
    },
  },
  {
    name: 'empty',
    async go({ files, page }) {
      await files.open(EMPTY)
      await expect(page.getByText('It feels lonely here')).toBeVisible()
    },
  },
  {
    name: 'loading',
    async go({ files, page }) {
      await holdListing(page)
      await files.open(PROJECT)
      await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
    },
  },
  {
    name: 'shell',
    async go(stage) {
      await openShell(stage)
      const { shell } = stage
      await shell.run('ls -s --color=always "02 Interviews" .')
      await expect(shell.output).toContainText('total')
      await shell.run(
        `sh -c 'printf "\\033[32m412 clips paired\\033[0m, 3 left over\\n"; ls none; exit 2'`,
      )
      await expect(shell.output).toContainText('Ended with code 2.')
      await shell.run('rm *')
      await expect(shell.output).toContainText('not allowed')
    },
  },
  {
    name: 'shell-running',
    async go(stage) {
      await openShell(stage)
      await stage.shell.run('cat')
      await expect(stage.shell.stop).toBeVisible()
    },
  },
  {
    name: 'shell-terminal',
    async go(stage) {
      await openShell(stage)
      await stage.shell.side('Terminal').click()
      await expect(stage.shell.keys).toBeFocused()
      await stage.page.keyboard.type('ls -s --color=always\n')
      await expect(stage.shell.screen).toContainText('teaser-cut-v12.mp4')
    },
  },
  {
    name: 'shell-terminal-ended',
    async go(stage) {
      await openShell(stage)
      await stage.shell.side('Terminal').click()
      await expect(stage.shell.keys).toBeFocused()
      await stage.page.keyboard.type('exit 1\n')
      await expect(stage.shell.program).toBeVisible()
    },
  },
  {
    name: 'file',
    async go({ files, page }) {
      await files.open(`${PROJECT}/master-archive-2014–2025.tar.zst`)
      await expect(page.getByRole('heading', { name: /^master-archive/ })).toBeVisible()
    },
  },
  {
    name: 'editor',
    async go(stage) {
      await openText(stage, 'sync-rushes.py')
      await stage.opened.text('sync-rushes.py').press('ControlOrMeta+f')
      await stage.opened.findBar.getByRole('textbox', { name: 'Find' }).fill('start')
      await expect(stage.opened.findBar).toContainText('matches')
    },
  },
  {
    name: 'editor-unsaved',
    async go(stage) {
      await openText(stage, 'sync-rushes.py')
      await write(stage, '# ')
    },
  },
  {
    name: 'markdown',
    async go(stage) {
      await openText(stage, 'field-notes.md')
      await readAsItReads(stage)
      const page = stage.opened.rendered('field-notes.md')
      await expect(page.getByRole('heading', { name: 'Still to do' })).toBeVisible()
    },
  },
  {
    name: 'prompt-discard-editor-changes',
    async go(stage) {
      await openText(stage, 'sync-rushes.py')
      await write(stage, '# ')
      await stage.opened.close()
      await expect(stage.opened.prompt.card).toBeVisible()
    },
  },
  {
    name: 'prompt-save-conflict',
    async go(stage) {
      await openText(stage, 'sync-rushes.py')
      await write(stage, '# mine: ')
      await changeMeanwhile(stage.page)
      await stage.page.keyboard.press('ControlOrMeta+s')
      await expect(stage.opened.prompt.card).toContainText('was changed meanwhile')
    },
  },
  {
    name: 'prompt-go-to-line',
    async go(stage) {
      await openText(stage, 'sync-rushes.py')
      await stage.opened.text('sync-rushes.py').press('ControlOrMeta+g')
      await expect(stage.opened.prompt.card).toBeVisible()
    },
  },
  {
    name: 'table',
    async go({ opened }) {
      await opened.open(`${PROJECT}/02 Interviews/shots.csv`)
      const cell = opened.table('shots.csv').getByRole('cell', { name: 'Harbour 3', exact: true })
      await expect(cell).toBeVisible()
    },
  },
  {
    name: 'image',
    async go({ opened }) {
      await opened.open(`${PROJECT}/midnight-sun.jpg`)
      await expect(opened.picture('midnight-sun.jpg')).toBeVisible()
    },
  },
  {
    name: 'audio',
    async go({ opened }) {
      await opened.open(`${PROJECT}/02 Interviews/harbour-wind.wav`)
      await expect(opened.player('harbour-wind.wav')).toHaveJSProperty('readyState', 4)
    },
  },
  {
    name: 'book',
    async go({ opened, page }) {
      await opened.open(`${PROJECT}/02 Interviews/harbour.epub`)
      await expect(page.getByText('1 of 2')).toBeVisible()
    },
  },

  {
    name: 'prompt-delete',
    go: (stage) => ask(stage, 'Delete', 'alpenglow.jpg', 'fjord-dusk.jpg', '01 Rushes'),
  },
  { name: 'prompt-delete-one', go: (stage) => ask(stage, 'Delete', 'midnight-sun.jpg') },
  { name: 'prompt-rename', go: (stage) => ask(stage, 'F2', 'field-notes.md') },
  {
    name: 'prompt-info',
    only: 'narrow',
    go: (stage) => ask(stage, 'Alt+Enter', 'teaser-cut-v12.mp4'),
  },
  {
    name: 'prompt-move',
    async go(stage) {
      await openProject(stage)
      await stage.files.choose('teaser-cut-v12.mp4', 'Move to…')
      await stage.files.prompt.folder('03 Stills – selects').click()
    },
  },
  {
    name: 'prompt-copy',
    async go(stage) {
      await openProject(stage)
      await stage.files.choose('teaser-cut-v12.mp4', 'Copy to…')
      await stage.files.prompt.button('New folder').click()
      await stage.files.prompt.field.fill('04 Music')
    },
  },
  {
    name: 'prompt-new-folder',
    async go(stage) {
      await openProject(stage)
      await make(stage, 'New folder')
      await stage.files.prompt.field.fill('05 Colour/Grades')
      await expect(stage.files.prompt.card).toContainText('slash')
    },
  },
  {
    name: 'prompt-new-file',
    async go(stage) {
      await openProject(stage)
      await make(stage, 'New file')
      await stage.files.prompt.field.fill('shot-list.md')
    },
  },
  {
    name: 'prompt-help',
    async go(stage) {
      await openProject(stage)
      await stage.page.keyboard.press('F1')
      await expect(stage.files.prompt.card).toBeVisible()
    },
  },
  {
    name: 'prompt-upload',
    only: 'wide',
    async go(stage) {
      await openProject(stage)
      await stage.files.action('Upload').click()
      await expect(stage.files.prompt.card).toBeVisible()
    },
  },
  { name: 'prompt-collision', go: collide },
  {
    name: 'prompt-collision-each',
    async go(stage) {
      await collide(stage)
      await stage.files.prompt.button('Decide one by one').click()
    },
  },
  {
    name: 'prompt-abort-uploads',
    async go(stage) {
      await uploadSlowly(stage)
      await stage.uploads.card.getByRole('button', { name: 'Stop all uploads' }).click()
      await expect(stage.files.prompt.card).toBeVisible()
    },
  },

  { name: 'uploading', go: uploadSlowly },
  {
    name: 'uploading-list',
    only: 'narrow',
    async go(stage) {
      await uploadSlowly(stage)
      await stage.uploads.unfold()
    },
  },
  {
    name: 'uploading-selected',
    async go(stage) {
      await uploadSlowly(stage)
      await stage.files.goHome()
      await stage.files.select('Read me first.txt')
    },
  },
  {
    name: 'upload-waiting',
    async go(stage) {
      await uploadSlowly(stage)
      await stage.line.cut()
      await expect(stage.uploads.card).toContainText('Waiting for the connection')
    },
  },
  {
    name: 'upload-done',
    async go(stage) {
      await openInbox(stage)
      await upload(stage)
      await expect(stage.uploads.card).toContainText('files uploaded')
    },
  },
  {
    name: 'upload-failed',
    async go(stage) {
      await uploadSlowly(stage)
      changeUpload(stage, 'interview-ingrid-take-2.wav')
      stage.line.slow(Number.POSITIVE_INFINITY)
      await expect(stage.uploads.card).toContainText('not uploaded')
      if (stage.narrow) await stage.uploads.unfold()
    },
  },
  {
    name: 'upload-offer',
    async go(stage) {
      await leaveUploads(stage.page)
      await openProject(stage)
      await expect(stage.uploads.card).toContainText('stopped half-way')
    },
  },
  {
    name: 'prompt-receive',
    async go({ files, page }) {
      await files.open('/')
      await handOver(page, 'IMG_2043.jpg', 'IMG_2044.jpg')
      await page.goto('./files/?shared=1')
      await expect(files.prompt.card).toContainText('2 files')
    },
  },
  {
    name: 'dropping',
    only: 'wide',
    async go(stage) {
      await openProject(stage)
      await new FileDrag(stage.page, [stage.root]).over(stage.files.status)
    },
  },
  {
    name: 'dropping-into',
    only: 'wide',
    async go(stage) {
      await openProject(stage)
      await new FileDrag(stage.page, [stage.root]).over(stage.files.row('02 Interviews'))
    },
  },

  { name: 'search', go: (stage) => find(stage, 'r') },
  {
    name: 'search-hint',
    async go(stage) {
      await openProject(stage)
      await stage.search.open()
    },
  },
  {
    name: 'search-none',
    async go(stage) {
      await find(stage, '"no such thing"')
      await expect(stage.search.button('Search all files').last()).toBeVisible()
    },
  },
  {
    name: 'search-running',
    async go(stage) {
      await holdSearch(stage.page)
      await find(stage, 'type:image')
      await expect(stage.search.button('Stop')).toBeVisible()
    },
  },
  {
    name: 'palette',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('alpenglow.jpg')
      await stage.palette.open()
    },
  },
  {
    name: 'palette-typed',
    async go(stage) {
      await openProject(stage)
      await stage.palette.open()
      await stage.palette.field.fill('se')
    },
  },

  { name: 'settings-profile', go: ({ settings }) => settings.open('profile') },
  {
    name: 'settings-password',
    async go({ settings }) {
      await settings.open('profile')
      await settings.field('New password').fill('northern lights 26')
      await settings.field('Repeat new password').fill('northern lights')
      await expect(settings.group('Password')).toContainText('not the same')
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
    name: 'settings-shares',
    async go({ settings, page }) {
      await page.route('**/api/shares', (route) => route.fulfill({ json: LINKS }))
      await settings.open('shares')
      await expect(settings.shares).toBeVisible()
    },
  },
  {
    name: 'settings-activity',
    async go({ settings, page }) {
      await page.route('**/api/audit*', (route) => route.fulfill({ json: ACTS }))
      await settings.open('activity')
      await expect(page.getByText('/Inbox/Day 4')).toBeVisible()
    },
  },
  {
    name: 'settings-activity-none',
    async go({ settings, page }) {
      await page.route('**/api/audit*', (route) => route.fulfill({ json: [] }))
      await settings.open('activity')
      await expect(page.getByText('Nothing was done yet')).toBeVisible()
    },
  },
  { name: 'settings-global', go: ({ settings }) => settings.open('global') },
  {
    name: 'settings-global-refused',
    async go({ settings }) {
      await settings.open('global')
      await settings.toggle('Sign-up').click()
      await settings.save.click()
      await expect(settings.trouble).toBeVisible()
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
      await settings.field('Rule 2: what it is about').fill('\\.(key|pem$')
      await expect(settings.trouble).toBeVisible()
    },
  },
  {
    name: 'prompt-current-password',
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
    async go({ settings, page }) {
      await settings.open('global')
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

  { name: 'error-403', go: ({ page }) => openError(page, './403', 'This is not yours to see') },
  {
    name: 'error-404',
    async go({ files, page }) {
      await files.open('/Projects/Documentary/Svalbard 2023')
      await expect(
        page.getByRole('heading', { name: 'There is nothing at this address' }),
      ).toBeVisible()
    },
  },
  { name: 'error-500', go: ({ page }) => openError(page, './500', 'Something went wrong') },
  {
    name: 'error-connection',
    async go({ files, page }) {
      await dropConnection(page)
      await files.open(PROJECT)
      await expect(page.getByRole('heading', { name: 'No connection' })).toBeVisible()
    },
  },
  {
    name: 'toasts',
    async go(stage) {
      await openProject(stage)
      await forbidDeleting(stage.page)
      await stage.files.select('sync-rushes.py')
      await stage.page.keyboard.press('Delete')
      await stage.files.prompt.button('Delete').click()
      await expect(stage.files.toasts).toContainText('no right')
      await stage.page.keyboard.press('ControlOrMeta+c')
      await expect(stage.files.toasts).toContainText('ready to paste')
    },
  },
]

async function openShell(stage: Stage): Promise<void> {
  await openProject(stage)
  if (stage.narrow) {
    await stage.files.topButton('More').click()
    await stage.files.menuItem('Shell').click()
  } else {
    await stage.shell.toggle()
  }
  await expect(stage.shell.prompt).toBeFocused()
}

/** Acts as an administrator reads them, the newest first. */
const ACTS = [
  { action: 'publicDownload', path: '/teaser-cut-v12.mp4', share: 'Xk3v9Qa2', bytes: 96_000_000 },
  { action: 'rename', path: `${PROJECT}/draft.md`, to: `${PROJECT}/field-notes.md` },
  { action: 'upload', path: `${PROJECT}/alpenglow.jpg`, bytes: 8_829_010 },
  { action: 'signIn', username: 'mallory', address: '203.0.113.77', status: 403 },
  { action: 'delete', path: '/Accounting & permits/2019.pdf', username: 'mara', status: 403 },
  { action: 'newFolder', path: '/Inbox/Day 4', username: 'mara' },
  { action: 'command', path: PROJECT },
  { action: 'changeUser', path: '/2', whom: 'mara' },
  { action: 'changeSettings', path: '' },
  { action: 'signIn', path: '' },
].map((act, at) => ({
  id: 90 - at,
  time: new Date(NOW.getTime() - at * 2_700_000).toISOString(),
  username: 'share' in act ? '' : 'admin',
  session: 's',
  address: '192.168.1.20',
  path: '',
  to: '',
  whom: '',
  bytes: 0,
  status: 200,
  share: '',
  ...act,
}))

/** Links as an administrator sees them. */
const LINKS = [
  { hash: 'a', path: '/Projects/Documentary/', userID: 1, expire: 0, username: 'admin' },
  { hash: 'b', path: `${PROJECT}/`, userID: 1, expire: 1_763_500_000, username: 'admin' },
  { hash: 'c', path: '/teaser-cut-v12.mp4', userID: 2, expire: 1_763_900_000, username: 'mara' },
].map((link) => ({ ...link, hasPassword: link.hash === 'c' }))

async function openText({ opened }: Stage, name: string): Promise<void> {
  await opened.open(`${PROJECT}/${name}`)
  await expect(opened.text(name)).toBeVisible()
}

/** Writes into the text that is open. */
async function write({ opened, page }: Stage, words: string): Promise<void> {
  await opened.text('sync-rushes.py').click({ position: { x: 20, y: 20 } })
  await page.keyboard.type(words)
  await expect(page).toHaveTitle(/^• /)
}

async function find(stage: Stage, query: string): Promise<void> {
  await openProject(stage)
  await stage.search.open()
  await stage.search.run(query)
  await expect(stage.search.status).toContainText('found')
}

async function readAsItReads({ files, opened, narrow }: Stage): Promise<void> {
  if (!narrow) return opened.action('Show as it reads').click()
  await files.topButton('More').click()
  await files.menuItem('Show as it reads').click()
}

async function openProject({ files }: Stage): Promise<void> {
  await files.open(PROJECT)
  await expect(files.status).toContainText('files')
  await expect(files.thumbnails).toHaveCount(Object.keys(PICTURES).length)
}

/** Selects, presses the key, and waits for the prompt. */
async function ask(stage: Stage, key: string, ...names: string[]): Promise<void> {
  await openProject(stage)
  await stage.files.select(...names)
  await stage.page.keyboard.press(key)
  await expect(stage.files.prompt.card).toBeVisible()
}

async function make({ files, narrow }: Stage, what: 'New folder' | 'New file'): Promise<void> {
  if (!narrow) return files.sidebar(what).click()
  await files.add.click()
  await files.menuItem(what).click()
}

async function collide(stage: Stage): Promise<void> {
  await openInbox(stage, { holding: ['svolvaer-by-night.jpg', 'shot-list.md'] })
  await upload(stage)
  await expect(stage.files.prompt.card).toContainText('already here')
}

/** Bytes a second: slow enough to look at. */
const SLOW = 2 ** 20

async function uploadSlowly(stage: Stage): Promise<void> {
  await openInbox(stage)
  stage.line.slow(SLOW)
  await upload(stage)
  await expect(stage.uploads.card).not.toContainText('--:--:--', { timeout: 15_000 })
}

async function openError(page: Stage['page'], address: string, heading: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
}
