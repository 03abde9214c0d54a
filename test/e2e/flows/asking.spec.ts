/** Cards arrive after the first rows: what happens when they do not. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../fixtures.ts'

test.use({ serviceWorkers: 'block' })

test('a card that cannot be loaded says so, leaves the page whole, and is tried again', async ({
  files,
  server,
  page,
}) => {
  writeFileSync(join(server.root, 'a.txt'), 'x')
  await page.route(/\/static\/Prompt-[^/]*\.js$/, (route) => route.abort())
  await page.reload()
  await files.shows('a.txt')
  await files.select('a.txt')
  await page.keyboard.press('Delete')
  await expect(files.toasts).toContainText('The server cannot be reached')
  await expect(files.prompt.card).toBeHidden()
  await files.shows('a.txt')

  await page.unroute(/\/static\/Prompt-[^/]*\.js$/)
  await page.keyboard.press('Delete')
  await expect(files.prompt.card).toBeVisible()
})
