/** Screens of uploads: the dialogs before, the progress, and the result. */
import { expect } from 'playwright/test'
import {
  changeUpload,
  leaveUploads,
  openInbox,
  openProject,
  storeReceivedFiles,
  upload,
} from './prepare.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'

export const UPLOAD_SCREENS: readonly Screen[] = [
  {
    name: 'upload-menu',
    only: 'wide',
    async go(stage) {
      await openProject(stage)
      await stage.files.action('More ways to upload').click()
      await expect(stage.files.menuItem('Upload folder')).toBeVisible()
    },
  },
  {
    name: 'prompt-import',
    async go(stage) {
      await askForAddress(stage)
      await stage.page.getByLabel('Address').fill('https://archive.example/films/lofoten.mov')
    },
  },
  {
    name: 'prompt-import-wrong',
    async go(stage) {
      await askForAddress(stage)
      await stage.page.getByLabel('Address').fill('archive.example/films/lofoten.mov')
      await expect(stage.files.prompt.card).toContainText('must begin with')
    },
  },
  { name: 'prompt-collision', go: collide },
  {
    name: 'prompt-collision-each',
    async go(stage) {
      await collide(stage)
      await stage.files.prompt.button('Decide one by one').click()
      await expect(stage.files.prompt.card.getByRole('combobox')).toHaveCount(2)
    },
  },
  {
    name: 'prompt-abort-uploads',
    proxied: true,
    async go(stage) {
      await uploadSlowly(stage)
      await stage.uploads.card.getByRole('button', { name: 'Stop all uploads' }).click()
      await expect(stage.files.prompt.card).toBeVisible()
    },
  },
  { name: 'uploading', proxied: true, go: uploadSlowly },
  {
    name: 'uploading-list',
    proxied: true,
    only: 'narrow',
    async go(stage) {
      await uploadSlowly(stage)
      await stage.uploads.unfold()
    },
  },
  {
    name: 'uploading-folder',
    proxied: true,
    only: 'wide',
    async go(stage) {
      await openInbox(stage)
      stage.tcpProxy.slow(SLOW)
      await stage.files.upload('A folder', stage.outbox)
      await expect(stage.uploads.card.getByRole('listitem')).toContainText(/of \d+ files/)
      await expect(stage.uploads.card).toContainText(' left', { timeout: 15_000 })
    },
  },
  {
    name: 'uploading-selected',
    proxied: true,
    async go(stage) {
      await uploadSlowly(stage)
      await stage.files.goHome()
      await stage.files.select('Read me first.txt')
    },
  },
  {
    name: 'upload-waiting',
    proxied: true,
    failing: true,
    async go(stage) {
      await uploadSlowly(stage)
      await stage.tcpProxy.cut()
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
    proxied: true,
    failing: true,
    async go(stage) {
      await uploadSlowly(stage)
      changeUpload(stage, 'interview-ingrid-take-2.wav')
      stage.tcpProxy.slow(Number.POSITIVE_INFINITY)
      await expect(stage.uploads.card).toContainText('not uploaded')
      if (stage.isNarrow) await stage.uploads.unfold()
    },
  },
  {
    name: 'upload-offer',
    async go(stage) {
      await leaveUploads(stage.page)
      await openProject(stage)
      await expect(stage.uploads.card).toContainText('uploads were interrupted')
    },
  },
  {
    name: 'prompt-receive',
    async go({ files, page }) {
      await files.open('/')
      await storeReceivedFiles(page, 'IMG_2043.jpg', 'IMG_2044.jpg')
      await page.goto('./files/?shared=1')
      await expect(files.prompt.card).toContainText('2 files')
    },
  },
]

async function askForAddress(stage: Stage): Promise<void> {
  await openProject(stage)
  const { files, isNarrow } = stage
  if (isNarrow) await files.add.click()
  else await files.action('More ways to upload').click()
  await files.menuItem('Import from URL…').click()
  await expect(files.prompt.card).toBeVisible()
}

async function collide(stage: Stage): Promise<void> {
  await openInbox(stage, { holding: ['svolvaer-by-night.jpg', 'shot-list.md'] })
  await upload(stage)
  await expect(stage.files.prompt.card).toContainText('already here')
}

const SLOW = 2 ** 20

async function uploadSlowly(stage: Stage): Promise<void> {
  await openInbox(stage)
  stage.tcpProxy.slow(SLOW)
  await upload(stage)
  await expect(stage.uploads.card).toContainText(' left', { timeout: 15_000 })
}
