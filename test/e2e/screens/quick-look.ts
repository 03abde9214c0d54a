/** Screens of Quick Look. */
import { expect, type Locator } from 'playwright/test'
import { openProject } from './prepare.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'

export const QUICK_LOOK_SCREENS: readonly Screen[] = [
  {
    name: 'quick-look',
    go: (stage) => lookAt(stage, 'fjord-dusk.jpg', (dialog) => dialog.getByRole('img').first()),
  },
  {
    name: 'quick-look-markdown',
    go: (stage) => lookAt(stage, 'field-notes.md', (dialog) => dialog.getByText('Still to do')),
  },
  {
    name: 'quick-look-text',
    go: (stage) => lookAt(stage, 'sync-rushes.py', (dialog) => dialog.getByText('DRIFT')),
  },
  {
    name: 'quick-look-folder',
    go: (stage) => lookAt(stage, '02 Interviews', (dialog) => dialog.getByText(/^\d files$/)),
  },
]

async function lookAt(
  stage: Stage,
  name: string,
  contentOf: (dialog: Locator) => Locator,
): Promise<void> {
  await openProject(stage)
  await stage.files.select(name)
  await stage.page.keyboard.press('Space')
  await expect(contentOf(stage.page.getByRole('dialog')).first()).toBeVisible()
}
