/** The keyboard in the details panel. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../fixtures.ts'

const FOLDER = /\/api\/resources\/folder/

test('buttons of the details that disappear when they are clicked leave the focus in the panel @spec-2.15', async ({
  files,
  server,
  page,
}) => {
  writeFileSync(join(server.root, 'note.txt'), 'hello')
  mkdirSync(join(server.root, 'folder/below'), { recursive: true })
  await files.openRoot()
  await files.action('Details').click()
  const { details } = files
  const press = async (name: string) => {
    const button = details.getByRole('button', { name, exact: true })
    await button.press('Enter')
    await expect(button).toBeHidden()
  }
  await files.select('note.txt')
  await press('Show checksums')
  await expect(details.locator('section:focus')).toContainText('Checksums')
  await press('Calculate MD5')
  await expect(details.getByRole('button', { name: 'Copy MD5' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(details.getByRole('button', { name: 'Copy MD5' })).toBeFocused()

  await page.route(FOLDER, (route) => route.fulfill({ status: 500 }))
  await files.select('folder')
  await expect(details).toContainText('The rest could not be loaded')
  await page.unroute(FOLDER)
  await press('Try again')
  await expect(details.locator(':focus')).toContainText('1 folder')
})
