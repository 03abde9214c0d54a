/** The search and the command palette. */
import { expect } from 'playwright/test'
import { holdSearch, openProject } from './prepare.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'

export const FINDING_SCREENS: readonly Screen[] = [
  { name: 'search', go: (stage) => find(stage, 'r') },
  {
    name: 'search-hint',
    async go(stage) {
      await openProject(stage)
      await stage.search.open()
    },
  },
  {
    name: 'search-none',
    async go(stage) {
      await find(stage, '"no such thing"')
      await expect(stage.search.button('Search all files').last()).toBeVisible()
    },
  },
  {
    name: 'search-running',
    async go(stage) {
      await holdSearch(stage.page)
      await find(stage, 'type:image')
      await expect(stage.search.button('Stop')).toBeVisible()
    },
  },
  {
    name: 'palette',
    async go(stage) {
      await openProject(stage)
      await stage.files.select('alpenglow.jpg')
      await stage.palette.open()
    },
  },
  {
    name: 'palette-typed',
    async go(stage) {
      await openProject(stage)
      await stage.palette.open()
      await stage.palette.field.fill('se')
    },
  },
]

async function find(stage: Stage, query: string): Promise<void> {
  await openProject(stage)
  await stage.search.open()
  await stage.search.run(query)
  await expect(stage.search.status).toContainText('found')
}
