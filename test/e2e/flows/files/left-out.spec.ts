/** What a copy or a downloaded archive lacks is said, with the names. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'

test.beforeEach(({ server }) => {
  mkdirSync(join(server.root, 'from'))
  mkdirSync(join(server.root, 'to'))
  writeFileSync(join(server.root, 'from/a.txt'), 'x')
})

test('a copy names the pipe that it does not contain', async ({ files, server, page }) => {
  execFileSync('mkfifo', [join(server.root, 'from/pipe')])
  await files.openRoot()
  await files.select('from')
  await page.keyboard.press('ControlOrMeta+c')
  await files.open('/to')
  await expect(files.action('Paste')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+v')
  await files.shows('from')
  await expect(files.toasts).toContainText('1 item could not be copied: pipe')
  expect(readdirSync(join(server.root, 'to/from'))).toEqual(['a.txt'])
})

test('a downloaded folder names the broken link that it does not contain', async ({
  files,
  server,
  page,
}) => {
  symlinkSync('gone.txt', join(server.root, 'from/broken.txt'))
  await files.openRoot()
  await files.select('from')
  const downloaded = page.waitForEvent('download')
  await page.keyboard.press('Control+s')
  await downloaded
  await expect(files.toasts).toContainText('1 item could not be downloaded: broken.txt')
})
