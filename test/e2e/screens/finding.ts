/** Screens of the finder. */
import { expect } from 'playwright/test'
import { openProject } from './prepare.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'

export const FINDING_SCREENS: readonly Screen[] = [
  { name: 'search', go: (stage) => find(stage, 'in') },
  {
    name: 'search-texts',
    async go(stage) {
      await find(stage, 'lofoten')
      await expect(stage.search.group('Inside files').first()).toBeVisible()
      await stage.search.group('Inside files').last().scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'search-selected',
    async go(stage) {
      await find(stage, 'in')
      for (const _ of [1, 2]) {
        await stage.page.keyboard.press('Control+Space')
        await stage.page.keyboard.press('ArrowDown')
      }
      await expect(stage.search.selection).toContainText('2 selected')
    },
  },
  {
    name: 'search-texts-failed',
    failing: true,
    async go(stage) {
      await stage.page.route('**/api/find-text/**', (route) => route.fulfill({ status: 503 }))
      await find(stage, 'in')
      await expect(stage.search.card.getByRole('alert')).toBeVisible()
    },
  },
  { name: 'search-images', go: (stage) => find(stage, 'type:image ') },
  {
    name: 'search-commands',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('alpenglow.jpg')
      await stage.search.openByKeys()
      await expect(stage.search.command('Rename')).toBeVisible()
    },
  },
  {
    name: 'search-none',
    async go(stage) {
      await openProject(stage)
      await stage.search.open()
      await stage.search.field.fill('no such thing')
      await expect(stage.search.card).toContainText('No results')
    },
  },
]

async function find(stage: Stage, text: string): Promise<void> {
  await openProject(stage)
  await stage.search.open()
  await stage.search.find(text)
}
