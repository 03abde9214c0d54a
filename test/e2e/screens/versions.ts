/** Screens of earlier versions of a file. */
import { expect } from 'playwright/test'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { openProject } from './prepare.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { NOW, PROJECT } from './tree.ts'

const FILE = 'sync-rushes.py'

export const VERSION_SCREENS: readonly Screen[] = [
  { name: 'versions', go: (stage) => showVersions(stage) },
  {
    name: 'prompt-compare-version',
    async go(stage) {
      await showVersions(stage)
      await stage.page
        .getByRole('button', { name: /^Compare/ })
        .first()
        .click()
      await expect(stage.files.prompt.card).toContainText('DRIFT')
    },
  },
]

/** Shows the details of a file with versions, which differ from the current text in a few lines. */
async function showVersions(stage: Stage): Promise<void> {
  const { page, files, isNarrow } = stage
  await page.route('**/api/versions/**', async (route) => {
    const { searchParams } = new URL(route.request().url())
    if (!searchParams.has('id')) return route.fulfill({ json: VERSIONS })
    const current = await page.request.get(
      route.request().url().replace('/api/versions/', '/api/raw/'),
      { headers: { 'X-Auth': (await route.request().headerValue('x-auth')) ?? '' } },
    )
    const text = await current.text()
    return route.fulfill({ body: text.replace('0.040', '0.025').replace('\n\n\n', '\n\n') })
  })
  await openProject(stage)
  await files.select(FILE)
  if (isNarrow) {
    await files.selection.getByRole('button', { name: 'More' }).click()
    await files.menuItem('Details').click()
  } else await files.action('Details').click()
  await expect(page.getByRole('region', { name: 'Earlier versions' })).toContainText('mara')
}

const VERSIONS: readonly TrashItemInfo[] = [
  ['admin', 1, 4_198],
  ['mara', 26, 4_011],
  ['admin', 410, 2_950],
].map(([username, hours, size], at) => ({
  id: 9 - at,
  time: new Date(NOW.getTime() - Number(hours) * 3_600_000).toISOString(),
  username: String(username),
  path: `${PROJECT}/${FILE}`,
  isDir: false,
  size: Number(size),
  modified: new Date(NOW.getTime() - (Number(hours) + 5) * 3_600_000).toISOString(),
}))
