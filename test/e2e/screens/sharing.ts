/** Screens of shares: creating one, and its page. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { filmFrom } from '../../support/files/films.ts'
import { SharePage } from '../pages/SharePage.ts'
import { makeLink, openProject } from './prepare.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { GALLERY, NOW, PROJECT, STILLS } from './tree.ts'

export const SHARING_SCREENS: readonly Screen[] = [
  {
    name: 'prompt-share',
    async go(stage) {
      await share(stage, [])
      await stage.files.prompt.card.getByRole('radio', { name: '7 days' }).check()
      await stage.files.prompt.button('Generate').click()
      await expect(stage.files.prompt.card).toContainText('Until ')
    },
  },
  { name: 'prompt-share-links', go: (stage) => share(stage, LINKS) },
  { name: 'prompt-share-lost', go: (stage) => share(stage, LOST_LINKS) },
  {
    name: 'prompt-share-other',
    async go(stage) {
      await share(stage, [])
      await stage.files.prompt.card.getByRole('radio', { name: 'Other…' }).check()
      await stage.files.prompt.card.getByLabel('Duration').first().fill('soon')
      await expect(stage.files.prompt.card).toContainText('a whole number')
    },
  },
  {
    name: 'prompt-share-qr',
    async go(stage) {
      await share(stage, LINKS)
      await stage.files.prompt.button('QR code').first().click()
      await expect(stage.files.prompt.card.getByRole('img', { name: 'QR code' })).toBeVisible()
    },
  },
  {
    name: 'prompt-share-many',
    go: async (stage) => {
      await shareMany(stage)
      await stage.files.prompt.card.getByRole('radio', { name: '7 days' }).check()
    },
  },
  {
    name: 'prompt-share-many-links',
    async go(stage) {
      await shareMany(stage)
      await stage.files.prompt.card.getByLabel('Password (optional)').fill('northern lights 26')
      await stage.files.prompt.button('Create and copy links').click()
      await expect(stage.files.prompt.button('Copy all links')).toBeVisible()
    },
  },
  {
    name: 'prompt-share-delete',
    async go(stage) {
      await share(stage, LINKS)
      await stage.files.prompt.button('Delete link').first().click()
      await expect(stage.files.prompt.card).toContainText('loses access')
    },
  },
  {
    name: 'share-file',
    async go(stage) {
      await stage.page.goto(await makeLink(stage, `${PROJECT}/fjord-dusk.jpg`))
      if (!stage.isNarrow) {
        await expect(stage.page.getByRole('img', { name: 'QR code' })).toBeVisible()
      }
      await expect(stage.page.getByAltText('fjord-dusk.jpg')).toBeVisible()
    },
  },
  {
    name: 'share-locked',
    failing: true,
    async go(stage) {
      const visited = new SharePage(stage.page)
      await visited.open(await makeLink(stage, GALLERY, 'northern lights 26'))
      await visited.unlock('southern lights')
      await expect(visited.error).toContainText('Wrong password')
    },
  },
  {
    name: 'share-gone',
    failing: true,
    async go({ page }) {
      await page.goto('./share/nowhere')
      await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
    },
  },
  {
    name: 'share-folder',
    async go(stage) {
      await stage.page.goto(await makeLink(stage, GALLERY))
      await expect(stage.page.getByRole('link', { name: 'winter-light.jpg' }).last()).toBeVisible()
      await expect(stage.page.locator('section').getByAltText('')).toHaveCount(
        Object.keys(STILLS).length,
      )
    },
  },
  {
    name: 'share-list',
    async go(stage) {
      await stage.page.goto(await makeLink(stage, GALLERY))
      await stage.page.getByRole('button', { name: 'List' }).click()
      await expect(stage.page.getByRole('table').getByAltText('')).toHaveCount(
        Object.keys(STILLS).length,
      )
    },
  },
  {
    name: 'share-text',
    async go(stage) {
      await stage.page.goto(await makeLink(stage, PROJECT))
      await stage.page.getByRole('link', { name: 'field-notes.md' }).click()
      await expect(stage.page.getByRole('article')).toBeVisible()
    },
  },
  {
    name: 'share-picture',
    async go(stage) {
      await stage.page.goto(await makeLink(stage, GALLERY))
      await stage.page.getByRole('link', { name: 'harbour-morning.jpg' }).last().click()
      await expect(stage.page.getByAltText('harbour-morning.jpg')).toBeVisible()
      await expect(stage.page.getByRole('button', { name: 'Next' })).toBeVisible()
    },
  },
  {
    name: 'share-film',
    async go(stage) {
      const folder = `${PROJECT}/01 Rushes`
      await stage.files.openRoot()
      writeFileSync(join(stage.root, folder, 'harbour.webm'), await filmFrom(stage.page))
      await stage.page.goto(await makeLink(stage, folder))
      await stage.page.getByRole('link', { name: 'harbour.webm' }).first().click()
      await expect(stage.opened.player('harbour.webm')).toHaveJSProperty('readyState', 4)
    },
  },
  {
    name: 'share-film-damaged',
    async go(stage) {
      await stage.page.goto(await makeLink(stage, PROJECT))
      await stage.page.getByRole('link', { name: 'teaser-cut-v12.mp4' }).first().click()
      await expect(stage.page.getByText('The file is damaged')).toBeVisible()
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
]

/** Opens the dialog that shares a file. The file has these links already. */
async function share(stage: Stage, links: readonly object[]): Promise<void> {
  await openProject(stage)
  await stage.page.route('**/api/share/**', (route) => route.fulfill({ json: links }))
  await stage.files.choose('teaser-cut-v12.mp4', 'Share…')
  await expect(stage.files.prompt.card).toContainText('teaser-cut-v12.mp4')
}

/** Opens the dialog that shares several files. A request for a link gets one, which the server does not store. */
async function shareMany(stage: Stage): Promise<void> {
  await openProject(stage)
  await stage.page.route('**/api/share/**', (route) => {
    const { pathname } = new URL(route.request().url())
    const path = decodeURIComponent(pathname).replace(/^.*\/api\/share/, '')
    const expire = NOW.getTime() / 1000 + 6 * 86_400
    const hash = `b81L${path.length}Pz${path.at(-5)}`
    return route.fulfill({ json: { hash, path, expire, hasPassword: true, visits: 0, userID: 1 } })
  })
  await stage.files.select('alpenglow.jpg', 'fjord-dusk.jpg', 'field-notes.md')
  if (stage.isNarrow) await stage.files.selection.getByRole('button', { name: 'Share' }).click()
  else await stage.files.action('Share').click()
  await expect(stage.files.prompt.card).toContainText('New links to 3 items')
}

const LINKS = [
  { hash: 'Xk3v9Qa2', expire: 0, hasPassword: false, visits: 1204 },
  { hash: 'b81LmPz0', expire: NOW.getTime() / 1000 + 6 * 86_400, hasPassword: true, visits: 0 },
].map((link) => ({ ...link, path: `${PROJECT}/teaser-cut-v12.mp4`, userID: 1 }))

const LOST_LINKS = LINKS.map((link) => ({ ...link, lost: 'another' }))
