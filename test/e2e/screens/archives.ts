/** Screens of archives that are shown without extraction. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { type Entry, tarOf } from '../../support/files/made-archives.ts'
import { makeLink } from './prepare.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { PROJECT } from './tree.ts'

const FOLDER = `${PROJECT}/02 Interviews`
const NAME = 'press-kit.tar'

export const ARCHIVE_SCREENS: readonly Screen[] = [
  { name: 'archive', go: (stage) => openArchive(stage, '') },
  {
    name: 'archive-folder',
    async go(stage) {
      await openArchive(stage, '?inside=/Press kit 2025/Posters/')
      await expect(stage.page.getByText('Some entries are not shown')).toBeVisible()
    },
  },
  {
    name: 'archive-picture',
    async go(stage) {
      await openArchive(stage, '?inside=/dusk.jpg')
      const picture = stage.page.getByRole('img', { name: 'dusk.jpg' })
      await expect(picture).toHaveJSProperty('naturalWidth', 960)
      await picture.evaluate((image: HTMLImageElement) => image.decode())
    },
  },
  {
    name: 'archive-text',
    failing: true,
    async go(stage) {
      await openArchive(stage, '?inside=/read-me.md')
      await expect(stage.page.getByText('Still to do')).toBeVisible()
    },
  },
  {
    name: 'archive-damaged',
    failing: true,
    async go({ page }) {
      await page.goto(`./files${PROJECT}/master-archive-2014–2025.tar.zst`)
      await expect(page.getByRole('heading', { name: 'cannot be shown' })).toBeVisible()
    },
  },
  {
    name: 'quick-look-archive',
    async go(stage) {
      putArchive(stage)
      await stage.files.open(FOLDER)
      await stage.files.select(NAME)
      await stage.page.keyboard.press('Space')
      const dialog = stage.page.getByRole('dialog')
      await expect(dialog.getByRole('link', { name: 'dusk.jpg' })).toBeVisible()
    },
  },
  {
    name: 'share-archive',
    async go(stage) {
      putArchive(stage)
      await stage.page.goto(await makeLink(stage, `${FOLDER}/${NAME}`))
      await expect(stage.page.getByRole('link', { name: 'dusk.jpg' })).toBeVisible()
    },
  },
]

function putArchive({ root }: Stage): void {
  const read = (name: string) => readFileSync(join(root, PROJECT, name))
  const entries: Entry[] = [
    { name: 'Press kit 2025/', type: '5' },
    { name: 'Press kit 2025/Posters/poster-a3.jpg', content: read('midnight-sun.jpg') },
    { name: 'Press kit 2025/Posters/poster-a4.jpg', content: read('alpenglow.jpg') },
    { name: 'Press kit 2025/Posters/latest.jpg', type: '2' },
    { name: 'Архив/список.txt', content: 'x'.repeat(9000) },
    { name: 'dusk.jpg', content: read('fjord-dusk.jpg') },
    { name: 'read-me.md', content: read('field-notes.md') },
    { name: 'sync-rushes.py', content: read('sync-rushes.py') },
    { name: 'trailer-with-a-long-name-final-reviewed-v12.mp4', content: Buffer.alloc(700_000) },
    { name: 'ملاحظات.txt', content: 'x'.repeat(300) },
  ]
  writeFileSync(join(root, FOLDER, NAME), tarOf(...entries))
}

async function openArchive(stage: Stage, query: string): Promise<void> {
  putArchive(stage)
  await stage.page.goto(`./files${FOLDER}/${NAME}${query}`)
  await expect(stage.page.getByRole('region', { name: 'Files in the archive' })).toBeVisible()
  await expect(stage.page.getByRole('navigation', { name: 'Path in the archive' })).toBeVisible()
  if (query === '') await expect(stage.page.getByRole('link', { name: 'dusk.jpg' })).toBeVisible()
}
