/** Screens of what takes up space. */
import { expect } from 'playwright/test'
import { parsePath, toUrlPath } from '#wire/paths.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { PROJECT } from './tree.ts'

export const SPACE_SCREENS: readonly Screen[] = [
  { name: 'space', go: openSpace },
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
