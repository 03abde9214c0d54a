/** Screens of jobs: the plan that is confirmed before, and the card of running and finished jobs. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import type { Job } from '#wire/api/jobs.ts'
import { tarOf, zipOf } from '../../support/files/made-archives.ts'
import { JobsPanel } from '../pages/JobsPanel.ts'
import { openInbox, openProject, upload } from './prepare.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { NOW } from './tree.ts'

const FILES = 260
/** Bytes per second. */
const SLOW = 2 ** 20

export const JOB_SCREENS: readonly Screen[] = [
  {
    name: 'prompt-plan-delete',
    async go(stage) {
      await openLarge(stage)
      emptyRenders(stage)
      for (let at = 0; at < FILES; at += 1)
        writeFileSync(join(stage.root, `Plans/Renders/${at}.exr`), '')
      await stage.files.select('Renders')
      await stage.page.keyboard.press('Delete')
      await expect(stage.files.prompt.card).toContainText(String(FILES))
    },
  },
  {
    name: 'prompt-delete',
    async go(stage) {
      await askWithoutTrash(stage, 'house.svg', 'terrace.svg', 'Notes')
    },
  },
  { name: 'prompt-delete-one', go: (stage) => askWithoutTrash(stage, 'house.svg') },
  {
    name: 'prompt-plan-copy',
    async go(stage) {
      await openLarge(stage)
      await stage.files.select('Scans')
      await stage.page.keyboard.press('ControlOrMeta+c')
      // The list may be read again between the clicks of a double click.
      await stage.files.select('There')
      await stage.page.keyboard.press('Enter')
      await expect(stage.page.getByText('This folder is empty')).toBeVisible()
      await stage.page.keyboard.press('ControlOrMeta+v')
      await expect(stage.files.prompt.card).toContainText('Free space')
    },
  },
  {
    name: 'prompt-extract',
    async go(stage) {
      await chooseForArchive(stage, 'Extract…')
      await expect(stage.files.prompt.card).toContainText('Extract “drawings.tar”?')
    },
  },
  {
    name: 'prompt-extract-zip',
    async go(stage) {
      const { files, page, root } = stage
      mkdirSync(join(root, 'Plans'), { recursive: true })
      writeFileSync(join(root, 'Plans/rushes.zip'), zipOf({ name: 'house.svg', content: 'new' }))
      await files.open('/Plans')
      await files.row('rushes.zip').click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Extract…' }).click()
      await expect(files.prompt.card).toContainText('Encoding')
    },
  },
  {
    name: 'prompt-extract-taken',
    async go(stage) {
      await chooseForArchive(stage, 'Extract…')
      await stage.files.prompt.button('Extract here').click()
      await expect(stage.files.prompt.card).toContainText('already there')
    },
  },
  {
    name: 'prompt-compress',
    async go(stage) {
      await chooseForArchive(stage, 'Compress…')
      await expect(stage.files.prompt.card).toContainText('Compress “drawings.tar”')
    },
  },
  { name: 'jobs', go: (stage) => showJobs(stage, [RUNNING, WAITING, PAUSED]) },
  { name: 'jobs-problems', go: (stage) => showJobs(stage, [PROBLEMS, RUNNING]) },
  {
    name: 'jobs-and-uploads',
    proxied: true,
    async go(stage) {
      await showJobs(stage, [RUNNING, PROBLEMS])
      await openInbox(stage)
      stage.tcpProxy.slow(SLOW)
      await upload(stage)
      await expect(stage.uploads.card).toContainText('4 uploads, 1 job')
    },
  },
  { name: 'jobs-done', go: (stage) => showJobs(stage, [PROBLEMS]) },
]

/** Deletes entries that the trash does not keep, so that the page asks. */
async function askWithoutTrash(stage: Stage, ...names: string[]): Promise<void> {
  const { files, page, root } = stage
  emptyRenders(stage)
  mkdirSync(join(root, 'Plans/Renders/Notes'))
  for (const name of ['house.svg', 'terrace.svg'])
    writeFileSync(join(root, 'Plans/Renders', name), 'x'.repeat(4000))
  await files.open('Plans/Renders')
  await files.select(...names)
  await page.keyboard.press('Delete')
  await expect(files.prompt.card).toBeVisible()
}

/** The server of the stage keeps nothing of this folder. */
function emptyRenders({ root }: Stage): void {
  const folder = join(root, 'Plans/Renders')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

/** Shows a folder with two subfolders, one of them with so many files that changes of it become jobs. */
async function openLarge({ files, root }: Stage): Promise<void> {
  mkdirSync(join(root, 'Plans/Scans'), { recursive: true })
  mkdirSync(join(root, 'Plans/There'), { recursive: true })
  for (let at = 0; at < FILES; at += 1) {
    writeFileSync(join(root, 'Plans/Scans', `page ${at}.tif`), 'x'.repeat(1000 + at))
  }
  await files.open('/Plans')
  await expect(files.status).toContainText('folders')
}

/** Chooses an action in the menu of an archive, whose file has a taken name. */
async function chooseForArchive(stage: Stage, label: string): Promise<void> {
  const { files, page, root } = stage
  mkdirSync(join(root, 'Plans'), { recursive: true })
  writeFileSync(join(root, 'Plans/house.svg'), 'old')
  writeFileSync(join(root, 'Plans/drawings.tar'), tarOf({ name: 'house.svg', content: 'new' }))
  await files.open('/Plans')
  await files.row('drawings.tar').click({ button: 'right' })
  await page.getByRole('menuitem', { name: label }).click()
}

/** Shows jobs that the server does not have: real ones would end before the screenshot. */
async function showJobs(stage: Stage, shown: readonly Job[]): Promise<void> {
  await stage.page.route('**/api/jobs', (route) => route.fulfill({ json: shown }))
  await openProject(stage)
  const panel = new JobsPanel(stage.page)
  if (stage.isNarrow) await panel.unfold()
  await expect(panel.card).toContainText('to 2026')
}

const MIB = 2 ** 20
const RUNNING: Job = {
  id: 3,
  kind: 'copy',
  username: 'admin',
  to: '/Archive/2026',
  path: '/Projects/Lofoten',
  items: 1,
  failed: 0,
  state: 'running',
  fault: '',
  reason: '',
  made: NOW.toISOString(),
  ended: '',
  files: 12_480,
  bytes: 4200 * MIB,
  filesDone: 4821,
  bytesDone: 1650 * MIB,
  isPartial: false,
  speed: 84 * MIB,
  current: '/Projects/Lofoten/01 Rushes/A001_C014_0611X2.mov',
  problems: [],
  entries: [],
}
const WAITING: Job = {
  ...RUNNING,
  id: 2,
  kind: 'move',
  username: 'ingrid',
  items: 14,
  path: '/Inbox/scan.pdf',
  state: 'waiting',
  filesDone: 0,
  bytesDone: 0,
  speed: 0,
  current: '',
}
const PAUSED: Job = {
  ...RUNNING,
  id: 1,
  path: '/Projects/Svalbard',
  state: 'paused',
  fault: 'noSpace',
  reason: 'There is no space left.',
  speed: 0,
  current: '',
}
const PROBLEMS: Job = {
  ...RUNNING,
  id: 4,
  kind: 'move',
  path: '/Inbox/Scans',
  items: 3,
  failed: 2,
  state: 'done',
  ended: NOW.toISOString(),
  problems: [
    {
      id: 1,
      path: '/Inbox/Contracts',
      part: '',
      to: '/Archive/2026/Contracts',
      state: 'failed',
      fault: 'conflict',
      reason: 'The name is already taken.',
      failedPath: '',
    },
    {
      id: 2,
      path: '/Inbox/A very long name of a folder that somebody made in a hurry, with a date 2026-03-01',
      part: '',
      to: '',
      state: 'failed',
      fault: 'forbidden',
      reason: 'You do not have access to everything in this folder.',
      failedPath: '/Inbox/Contracts/Signed/Rental agreement.pdf',
    },
  ],
}
