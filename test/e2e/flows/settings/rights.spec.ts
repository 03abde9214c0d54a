import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'
import { FilesPage } from '../../pages/FilesPage.ts'
import { addUser, PASSWORD } from '../../users.ts'

test('a user with the rename right and without the create right moves by keyboard, menu and mouse', async ({
  page,
  server,
  login,
}) => {
  mkdirSync(join(server.root, 'to'))
  for (const name of ['keys', 'menu', 'mouse']) writeFileSync(join(server.root, name), name)
  const mover = await addUser(server, 'mover', 'rename')
  await login.open()
  await login.logIn(mover, PASSWORD)
  const files = new FilesPage(page)
  await files.shows('to', 'keys', 'menu', 'mouse')

  await files.select('keys')
  await page.keyboard.press('ControlOrMeta+x')
  await files.row('to').click({ button: 'right' })
  // A paste into the same folder would copy, which this user may not.
  await expect(files.menuItem('Paste')).toBeHidden()
  await page.keyboard.press('Escape')
  await files.row('to').dblclick()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+v')
  await files.shows('keys')

  await files.goHome()
  await files.choose('menu', 'Cut')
  await files.row('to').dblclick()
  await files.shows('keys')
  await files.grid.click({ button: 'right', position: { x: 400, y: 500 } })
  await files.menuItem('Paste').click()
  await files.shows('keys', 'menu')

  await files.goHome()
  // A row that disappears would move the others under the pointer.
  await files.shows('to', 'mouse')
  await files.drag(files.handle('mouse'), files.row('to'))
  await files.shows('to')
  for (const name of ['keys', 'menu', 'mouse']) {
    expect(existsSync(join(server.root, 'to', name)), name).toBe(true)
  }
})
