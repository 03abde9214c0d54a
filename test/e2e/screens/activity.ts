/** Screens of the activity and of an undo of all changes. */
import { expect } from 'playwright/test'
import type { ListedAuditEntry } from '#wire/api/audit.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { NOW, PROJECT } from './tree.ts'

export const ACTIVITY_SCREENS: readonly Screen[] = [
  {
    name: 'settings-activity',
    go: openActivity,
  },
  {
    name: 'settings-activity-calendar',
    async go({ settings, page }) {
      await page.route('**/api/audit*', (route) => route.fulfill({ json: AUDIT_RECORDS }))
      await settings.open('activity')
      await page.getByLabel('Until').fill('2026-11-18')
      await settings.button('Calendar').nth(1).click()
      await expect(page.getByRole('dialog', { name: 'Calendar' })).toContainText('November 2026')
    },
  },
  {
    name: 'settings-activity-none',
    async go({ settings, page }) {
      await page.route('**/api/audit*', (route) => route.fulfill({ json: [] }))
      await settings.open('activity')
      await expect(page.getByText('No activity yet')).toBeVisible()
    },
  },
  {
    name: 'prompt-undo-all',
    async go({ settings, page }) {
      await page.route('**/api/audit*', (route) => route.fulfill({ json: AUDIT_RECORDS }))
      await page.route('**/api/journal/undo-all', (route) => route.fulfill({ json: UNDONE }))
      await settings.open('activity')
      await settings.button('Undo all…').click()
      await expect(settings.prompt.card).toContainText('12 changes can be undone.')
    },
  },
]

/** Uses no text of the interface. */
export async function openActivity({ settings, page }: Stage): Promise<void> {
  await page.route('**/api/audit*', (route) => route.fulfill({ json: AUDIT_RECORDS }))
  await settings.open('activity')
  await expect(page.getByText('/Inbox/Day 4')).toBeVisible()
}

const refused = (fault: string) => ({ status: 403, fault })

const ACTS: Partial<ListedAuditEntry>[] = [
  {
    action: 'publicDownload',
    path: '/teaser-cut-v12.mp4',
    share: 'Xk3v9Qa2',
    bytes: 96_000_000,
    sharePath: `${PROJECT}/Delivery`,
  },
  { action: 'publicLook', path: '/', share: 'Gone0000', status: 404 },
  { action: 'rename', path: `${PROJECT}/draft.md`, to: `${PROJECT}/field-notes.md` },
  { action: 'upload', path: `${PROJECT}/alpenglow.jpg`, bytes: 8_829_010 },
  {
    action: 'signIn',
    username: 'mallory',
    address: '203.0.113.77',
    ...refused('wrongCredentials'),
  },
  {
    action: 'delete',
    path: '/Accounting & permits/2019.pdf',
    username: 'mara',
    ...refused('forbidden'),
  },
  { action: 'newFolder', path: '/Inbox/Day 4', username: 'mara' },
  { action: 'delete', path: `${PROJECT}/old.psd`, undoObstacle: 'notInTrash' },
  { action: 'command', path: PROJECT },
  { action: 'changeUser', path: '/2', whom: 'mara' },
  { action: 'changeSettings', path: '' },
  { action: 'signIn', path: '' },
]

const AUDIT_RECORDS: ListedAuditEntry[] = ACTS.map((record, at) => ({
  id: 90 - at,
  time: new Date(NOW.getTime() - at * 2_700_000).toISOString(),
  username: 'share' in record ? '' : 'admin',
  session: 's',
  address: '192.168.1.20',
  path: '',
  to: '',
  whom: '',
  bytes: 0,
  status: 200,
  share: '',
  times: 1,
  fault: '',
  sharePath: '',
  app: '',
  action: 'signIn',
  entry: ['rename', 'upload', 'newFolder'].includes(record.action ?? '') ? 90 - at : 0,
  undoneBy: record.action === 'newFolder' ? 99 : 0,
  undoObstacle: '',
  pathExists: true,
  toExists: true,
  ...record,
}))

/** The preview of an undo of 13 changes, one of which is not possible. */
const UNDONE = Array.from({ length: 13 }, (_, at) => ({
  id: 40 - at,
  undoneBy: 0,
  fault: at === 4 ? 'precondition' : '',
  problem: at === 4 ? 'The file has changed since.' : '',
}))
