/** Screens of a folder: views, menus, README, filter and drops. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { sheetRow, xlsxOf } from '../../support/files/zipped-documents.ts'
import { FileDrag } from '../pages/FileDrag.ts'
import { forbidDeleting, holdListing, openProject, showAs } from './prepare.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { EMPTY, GALLERY, PROJECT } from './tree.ts'

export const FOLDER_SCREENS: readonly Screen[] = [
  {
    name: 'view-options',
    async go(stage) {
      await openProject(stage)
      const { page, isNarrow } = stage
      const options = page.getByRole('button', { name: 'View options' })
      for (const name of isNarrow ? ['Compact rows'] : ['Type', 'Shared', 'Compact rows']) {
        await options.click()
        await page.getByRole('menuitemcheckbox', { name, exact: true }).click()
      }
      await options.click()
      await expect(page.getByRole('menuitemcheckbox', { checked: true })).not.toHaveCount(0)
    },
  },
  {
    name: 'readme',
    async go({ files, page, root, isNarrow }) {
      const folder = '/Projects/Cabin rules'
      mkdirSync(join(root, folder), { recursive: true })
      for (const name of ['budget.xlsx', 'floor plan.pdf'])
        writeFileSync(join(root, folder, name), 'x')
      writeFileSync(join(root, folder, 'README.md'), README)
      await files.open(folder)
      if (isNarrow) await page.getByRole('button', { name: 'Show README.md' }).click()
      await expect(page.getByRole('heading', { name: 'Cabin rules' })).toBeVisible()
    },
  },
  {
    name: 'sidebar',
    async go({ files, page, isNarrow }) {
      const favourites = ['/Photos', PROJECT, '/Inbox']
      await page.route('**/api/favourites', (route) => route.fulfill({ json: favourites }))
      await files.open(PROJECT)
      await expect(files.status).toContainText('files')
      if (isNarrow) await page.getByRole('button', { name: 'Menu' }).click()
      await expect(page.getByRole('treeitem', { name: 'Lofoten 2025' }).last()).toBeVisible()
      await expect(page.getByRole('link', { name: 'Inbox' }).last()).toBeVisible()
    },
  },
  { name: 'listing', go: openProject },
  {
    name: 'listing-twins',
    async go(stage) {
      await openTwins(stage)
      await expect(stage.files.row('library')).toContainText('Link outside')
      await expect(stage.page.getByText('Two names here look the same')).toBeVisible()
    },
  },
  {
    name: 'listing-selected',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('alpenglow.jpg', 'aurora-over-uttakleiv.jpg', 'field-notes.md')
      if (stage.isNarrow) return
      await stage.files.action('Move').hover()
      await expect(stage.page.locator('.Tooltip')).toBeVisible()
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
      await expect(stage.files.grid).toBeFocused()
      await stage.page.keyboard.press('ArrowDown')
      await stage.page.keyboard.press('ArrowDown')
      await expect(stage.files.row('02 Interviews')).toHaveAttribute('data-cursor', 'true')
    },
  },
  {
    name: 'listing-filter',
    async go(stage) {
      await openProject(stage)
      await stage.files.filterButton.click()
      await stage.files.filter.fill('o')
      await expect(stage.files.row('midnight-sun.jpg')).toBeHidden()
    },
  },
  {
    name: 'listing-filter-none',
    async go(stage) {
      await openProject(stage)
      await stage.page.keyboard.press('ControlOrMeta+f')
      await stage.files.filter.fill('nowhere')
      await expect(stage.page.getByText('Nothing here matches')).toBeVisible()
    },
  },
  {
    name: 'mosaic',
    async go(stage) {
      await openProject(stage)
      await showAs(stage, 'Grid')
      await stage.files.tile('aurora-over-uttakleiv.jpg').click({ modifiers: ['ControlOrMeta'] })
      await stage.files.tile('02 Interviews').click({ modifiers: ['ControlOrMeta'] })
      await expect(stage.files.thumbnails.first()).toBeVisible()
    },
  },
  {
    name: 'mosaic-sheets',
    async go(stage) {
      const { files, root } = stage
      mkdirSync(join(root, 'Sheets'), { recursive: true })
      const rows = Array.from({ length: 60 }, (_, at) =>
        sheetRow(at + 2, [`Port ${at + 1}`, 4.5 + at / 4, 'harbour@example.org']),
      )
      const head = sheetRow(1, ['Port', 'Depth (m)', 'Contact'])
      const written = {
        'ports.xlsx': xlsxOf({ Ports: head + rows.join('') }),
        'fees.csv': `Date;Fee;Paid by\n${'2025-06-14;€240.00;Mara\n'.repeat(30)}`,
        'البحر.csv': `الاسم,العمق\n${'ميناء,4.5\n'.repeat(30)}`,
        'notes.md': 'First notes\n\nOf the harbour\n',
      }
      for (const [name, content] of Object.entries(written))
        writeFileSync(join(root, 'Sheets', name), content)
      await files.open('/Sheets')
      await showAs(stage, 'Grid')
      for (const name of Object.keys(written))
        await expect(files.tile(name).getByAltText('')).toBeVisible()
    },
  },
  {
    name: 'gallery',
    async go(stage) {
      await openProject(stage)
      await showAs(stage, 'Photos')
      await stage.files.open(GALLERY)
      await showAs(stage, 'Photos')
      // The last picture that the window shows.
      const last = stage.isNarrow ? 'moonrise.jpg' : 'tower.jpg'
      await expect(stage.files.tile(last).getByAltText('')).toBeVisible()
      await stage.files.tile('moonrise.jpg').click({ modifiers: ['ControlOrMeta'] })
      if (!stage.isNarrow) await stage.files.tile('first-snow.jpg').hover()
    },
  },
  {
    name: 'gallery-slideshow',
    async go(stage) {
      await stage.files.open(GALLERY)
      await showAs(stage, 'Photos')
      await stage.page.getByRole('button', { name: 'Slideshow' }).click()
      await stage.page.getByRole('button', { name: 'Pause' }).click()
      await expect(stage.page.getByRole('dialog').getByRole('img')).toBeVisible()
    },
  },
  {
    name: 'folded-sidebar',
    only: 'wide',
    async go(stage) {
      await openProject(stage)
      await stage.files.sidebar('Collapse sidebar').click()
      await expect(stage.files.sidebar('Expand sidebar')).toBeVisible()
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
    name: 'item-menu',
    async go(stage) {
      await openProject(stage)
      if (stage.isNarrow) await stage.files.more('fjord-dusk.jpg').click()
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
    name: 'empty',
    async go({ files, page }) {
      await files.open(EMPTY)
      await expect(page.getByText('This folder is empty')).toBeVisible()
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
  {
    name: 'toasts',
    failing: true,
    async go(stage) {
      await openProject(stage)
      await forbidDeleting(stage.page)
      await stage.files.select('sync-rushes.py')
      await stage.page.keyboard.press('Delete')
      await expect(stage.files.toasts).toContainText('do not have permission')
      await stage.page.keyboard.press('ControlOrMeta+c')
      await expect(stage.files.toasts).toContainText('ready to paste')
    },
  },
]

/** A folder with two names that look the same, and with links that lead outside and nowhere, in any language. */
export async function openTwins({ files, page, root }: Stage): Promise<void> {
  const folder = '/Projects/Ålesund'
  if (!existsSync(join(root, folder))) {
    mkdirSync(join(root, folder))
    for (const form of ['NFC', 'NFD'] as const)
      writeFileSync(join(root, folder, 'Café Løvenvold.txt'.normalize(form)), form)
    symlinkSync('/usr', join(root, folder, 'library'))
    symlinkSync('gone.txt', join(root, folder, 'moved.txt'))
  }
  await files.open(folder)
  await expect(page.locator('.Notice')).toBeVisible()
}

const README = `# Cabin rules

Everything about the cabin lies here: **plans**, bills and the budget.

## Who to ask

| what | who |
| --- | --- |
| heating | Ingrid |
| garden | Mara |

1. Add new bills to the budget.
2. Name scans by their date.
`
