/** Screens of the trash. */
import { expect } from 'playwright/test'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import type { UnfinishedUpload } from '#wire/api/uploads.ts'
import { LIMITS } from '#wire/limits.ts'
import { parsePath } from '#wire/paths.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { NOW } from './tree.ts'

export const TRASH_SCREENS: readonly Screen[] = [
  {
    name: 'trash',
    go: openTrash,
  },
  {
    name: 'trash-more',
    async go({ settings, page }) {
      await page.route(TRASH_LIST, (route) => route.fulfill({ json: DELETED_PAGE }))
      await settings.open('trash')
      await settings.button('Show more').scrollIntoViewIfNeeded()
      await expect(settings.button('Show more')).toBeInViewport()
    },
  },
  {
    name: 'trash-selected',
    async go({ settings, page }) {
      await page.route(TRASH_LIST, (route) => route.fulfill({ json: DELETED }))
      await settings.open('trash')
      await settings.button('Select all').click()
      await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('2 selected')
    },
  },
  {
    name: 'trash-filtered',
    async go({ settings, page }) {
      await page.route(TRASH_LIST, (route) => route.fulfill({ json: DELETED }))
      await settings.open('trash')
      await page.getByRole('textbox', { name: 'Filter by name' }).fill('tax')
      await expect(page.getByText('Nothing here matches “tax”')).toBeVisible()
    },
  },
  {
    name: 'trash-none',
    async go({ settings, page }) {
      await page.route(TRASH_LIST, (route) => route.fulfill({ json: [] }))
      await settings.open('trash')
      await expect(page.getByText('The trash is empty')).toBeVisible()
    },
  },
  {
    name: 'trash-unfinished',
    async go({ settings, page }) {
      await page.route(TRASH_LIST, (route) => route.fulfill({ json: DELETED }))
      await page.route('**/api/uploads', (route) => route.fulfill({ json: UNFINISHED }))
      await settings.open('trash')
      await expect(page.getByText('/Projects/drone-rushes.mov')).toBeVisible()
    },
  },
  {
    name: 'prompt-purge',
    async go({ settings, page }) {
      await page.route(TRASH_LIST, (route) => route.fulfill({ json: DELETED }))
      await settings.open('trash')
      await settings.button('Empty trash').click()
      await expect(page.getByRole('dialog')).toContainText('This cannot be undone.')
    },
  },
]

/** Uses no text of the interface. */
export async function openTrash({ settings, page }: Stage): Promise<void> {
  await page.route(TRASH_LIST, (route) => route.fulfill({ json: DELETED }))
  await settings.open('trash')
  await expect(page.getByText('Draft.md').first()).toBeVisible()
}

const UNFINISHED: UnfinishedUpload[] = [
  {
    path: '/Projects/drone-rushes.mov',
    username: 'mara',
    size: 9_400_000_000,
    received: 5_200_000_000,
  },
  {
    path: '/Inbox/Interview transcript of Ingrid Solberg (final, really).docx',
    username: 'admin',
    size: 84_000_000,
    received: 0,
  },
].map((upload, at) => ({
  ...upload,
  id: `upload ${at}`,
  path: parsePath(upload.path),
  created: new Date(NOW.getTime() - 7_200_000).toISOString(),
  touched: new Date(NOW.getTime() - (at + 1) * 3_600_000).toISOString(),
  expires: new Date(NOW.getTime() + 86_400_000).toISOString(),
}))

/** The URL of the items of the trash; that of its exceptions begins with the same path. */
const TRASH_LIST = '**/api/trash?*'

const DELETED: readonly TrashItemInfo[] = [
  deleted(2, 'admin', '/Inbox/Draft.md', 1200),
  deleted(
    1,
    'anna',
    '/Pictures/Old holidays with a name that is longer than the screen of a telephone',
    -1,
  ),
]

/** A full page, so that older items may exist. */
const DELETED_PAGE: readonly TrashItemInfo[] = Array.from({ length: LIMITS.auditPage }, (_, at) => {
  const id = LIMITS.auditPage - at
  return deleted(id, 'admin', `/Inbox/Take ${id}.mov`, id * 1_200_000)
})

/** @param size -1 for a folder */
function deleted(id: number, username: string, path: string, size: number): TrashItemInfo {
  const time = new Date(NOW).toISOString()
  const expires = new Date(NOW.getTime() + (30 - (id % 30)) * 86_400_000).toISOString()
  return { id, time, username, path, isDir: size === -1, size, modified: time, expires }
}
