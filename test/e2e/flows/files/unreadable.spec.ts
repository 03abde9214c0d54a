/** What the server's account may not read: the page blames neither the user nor the rules. */
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startAsOrdinaryAccount } from '../../../support/server/ordinary-account.ts'
import { test as base, expect } from '../../fixtures.ts'

/** A folder `closed` that only root may read, and a folder `holds` with such a folder in it. */
const test = base.extend({
  // Playwright reads the names of the fixtures it needs from the pattern; this one needs none.
  // biome-ignore lint/correctness/noEmptyPattern: the pattern is the declaration
  server: async ({}, use) => {
    const { server, root, stop } = await startAsOrdinaryAccount()
    const { uid, gid } = statSync(root)
    for (const folder of ['closed', 'holds', 'holds/inner']) {
      mkdirSync(join(root, folder))
      writeFileSync(join(root, folder, 'a.txt'), 'a')
      chownSync(join(root, folder), uid, gid)
    }
    const locked = ['closed', 'holds/inner'].map((name) => join(root, name))
    for (const path of locked) chmodSync(path, 0)
    await use(server)
    for (const path of locked) chmodSync(path, 0o700)
    await stop()
  },
})

const REASON = 'The server has no permission for this on its disk.'

test('the page of an unreadable folder names the server, not the rights of the user', async ({
  files,
  page,
}) => {
  await files.open('/closed')
  await expect(page.getByText('The server cannot read this')).toBeVisible()
  await expect(
    page.getByText('The server has no permission for “closed” on its disk.'),
  ).toBeVisible()
  await expect(page.getByText('You do not have')).toBeHidden()
})

test('an unreadable folder that is deleted or downloaded is refused with the reason', async ({
  files,
}) => {
  await files.openRoot()
  await files.row('closed').click({ button: 'right' })
  await files.menu.getByRole('menuitem', { name: 'Download', exact: true }).click()
  await expect(files.toasts).toContainText(REASON)
  await files.toasts.getByRole('button', { name: 'Dismiss' }).click()
  await files.choose('holds', 'Delete')
  await expect(files.toasts).toContainText(`“holds”: “inner”: ${REASON}`)
  await files.shows('closed', 'holds')
})
