/** Screens of dialogs about files: rename, move, delete, create and download; and the help. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { ask, openProject } from './prepare.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { PROJECT } from './tree.ts'

export const ACT_SCREENS: readonly Screen[] = [
  {
    name: 'deleted',
    async go(stage) {
      const { files, page, root } = stage
      await openProject(stage)
      writeFileSync(join(root, PROJECT, 'draft.txt'), 'draft')
      await files.select('draft.txt')
      await page.keyboard.press('Delete')
      await expect(files.toasts).toContainText('draft.txt moved to the trash')
    },
  },
  { name: 'prompt-rename', go: (stage) => ask(stage, 'F2', 'field-notes.md') },
  {
    name: 'prompt-rename-many',
    async go(stage) {
      await ask(stage, 'F2', ...PICTURES_TO_RENAME)
      const { card } = stage.files.prompt
      await card.getByText('Name and number').click()
      await card.getByLabel('Name', { exact: true }).fill('Lofoten ')
      await card.getByLabel('Start at').fill('9')
      await expect(card.getByRole('list')).toContainText('Lofoten 10.jpg')
    },
  },
  {
    name: 'prompt-rename-many-refused',
    async go(stage) {
      await ask(stage, 'F2', ...PICTURES_TO_RENAME)
      const { card } = stage.files.prompt
      await card.getByLabel('Find', { exact: true }).fill('alpenglow')
      await card.getByLabel('Replace with').fill('fjord-dusk')
      await expect(card).toContainText('is already here')
    },
  },
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
      const folder = stage.files.prompt.folder('03 Stills – selects')
      await folder.click()
      await expect(folder).toHaveAttribute('aria-selected', 'true')
    },
  },
  {
    name: 'prompt-move-found',
    async go(stage) {
      await openProject(stage)
      await stage.files.choose('teaser-cut-v12.mp4', 'Move to…')
      await stage.files.prompt.find.fill('in')
      await expect(stage.files.prompt.folder('02 Interviews')).toBeVisible()
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
    name: 'prompt-folders-none',
    async go(stage) {
      const { files } = stage
      await openProject(stage)
      await files.choose('teaser-cut-v12.mp4', 'Copy to…')
      await files.prompt.folder('01 Rushes').dblclick()
      await expect(files.prompt.card.getByText('No subfolders')).toBeVisible()
    },
  },
  {
    name: 'prompt-new-folder',
    async go(stage) {
      await openProject(stage)
      await askForNew(stage, 'New folder')
      await stage.files.prompt.field.fill('05 Colour/Grades')
      await expect(stage.files.prompt.card).toContainText('slash')
    },
  },
  {
    name: 'prompt-new-file',
    async go(stage) {
      await openProject(stage)
      await askForNew(stage, 'New file')
      await stage.files.prompt.field.fill('shot-list.md')
    },
  },
  {
    name: 'download-format',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('alpenglow.jpg', 'field-notes.md')
      await stage.files.choose('field-notes.md', 'Download as')
      await expect(stage.files.prompt.card).toContainText('Download 2 items')
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
]

async function askForNew(
  { files, isNarrow }: Stage,
  what: 'New folder' | 'New file',
): Promise<void> {
  if (!isNarrow) return files.sidebar(what).click()
  await files.add.click()
  await files.menuItem(what).click()
}

const PICTURES_TO_RENAME = ['alpenglow.jpg', 'aurora-over-uttakleiv.jpg', 'midnight-sun.jpg']
