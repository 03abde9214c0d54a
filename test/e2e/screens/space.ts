/** Screens of what takes up space. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { parsePath, toUrlPath } from '#wire/paths.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { PROJECT } from './tree.ts'

export const SPACE_SCREENS: readonly Screen[] = [
  {
    name: 'space',
    async go(stage) {
      // What the user has deleted is told beside the free space.
      writeFileSync(join(stage.root, 'old-draft.md'), 'An old draft.')
      await stage.files.openRoot()
      await stage.files.delete('old-draft.md')
      await openSpace(stage)
    },
  },
  {
    name: 'space-same',
    async go(stage) {
      await openSpace(stage)
      await stage.settings.button('Compare').click()
      await expect(stage.settings.button('Compare')).toBeVisible()
      await stage.settings.button('Compare').scrollIntoViewIfNeeded()
    },
  },
]

/** Uses no text of the interface. */
export async function openSpace({ page }: Stage): Promise<void> {
  await page.goto(`./settings/space${toUrlPath(parsePath(PROJECT), true)}`)
  await expect(page.locator('.Treemap')).toBeVisible()
}
