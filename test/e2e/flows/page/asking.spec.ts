/** Parts of the interface that are loaded when they are first used. The flows make this loading fail. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'

test('a card that cannot be loaded shows an error, leaves the page usable, and is loaded again on retry', async ({
  files,
  server,
  page,
}) => {
  writeFileSync(join(server.root, 'a.txt'), 'x')
  await page.route(/\/static\/Prompt-[^/]*\.js$/, (route) => route.abort())
  await files.openRoot()
  await files.shows('a.txt')
  await files.select('a.txt')
  await page.keyboard.press('F2')
  await expect(files.toasts).toContainText('The server cannot be reached')
  await expect(files.prompt.card).toBeHidden()
  await files.shows('a.txt')

  await page.unroute(/\/static\/Prompt-[^/]*\.js$/)
  await page.keyboard.press('F2')
  await expect(files.prompt.card).toBeVisible()
})

const parts = [
  { part: 'a viewer', chunk: 'Editor', open: 'a.txt' },
  { part: 'a settings page', chunk: 'SettingsPage', open: undefined },
]

for (const { part, chunk, open } of parts) {
  test(`${part} that cannot be loaded shows an error in its place, and is loaded again on retry`, async ({
    files,
    server,
    page,
  }) => {
    writeFileSync(join(server.root, 'a.txt'), 'x')
    await files.openRoot()
    await files.shows('a.txt')
    const script = new RegExp(`/static/${chunk}-[^/]*\\.js$`)
    await page.route(script, (route) => route.abort())
    if (open) await files.row(open).dblclick()
    else await page.getByRole('link', { name: 'Settings', exact: true }).click()
    const message = page.getByRole('alert').filter({ hasText: 'could not be loaded' })
    await expect(message).toBeVisible()
    await expect(page.getByRole('navigation').first()).toBeVisible()

    await page.unroute(script)
    await message.getByRole('button', { name: 'Try again' }).click()
    await expect(message).toBeHidden()
    if (open) await expect(page.locator('.cm-content')).toHaveText('x')
    else await expect(page).toHaveURL(/\/settings\/profile$/)
  })
}

test('an overlay that cannot be loaded shows an error, and is loaded again when it is opened again @spec-2.6', async ({
  files,
  server,
  page,
}) => {
  writeFileSync(join(server.root, 'a.txt'), 'x')
  const script = /\/static\/Finder-[^/]*\.js$/
  await page.route(script, (route) => route.abort())
  await files.openRoot()
  await files.shows('a.txt')
  await page.keyboard.press('Control+k')
  await expect(files.toasts).toContainText('could not be loaded')
  await files.shows('a.txt')

  await page.unroute(script)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
})
