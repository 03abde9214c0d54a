import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shownName } from '#ui/lib/entries/shown-name.ts'
import { NASTY_NAMES } from '../../../support/files/tree.ts'
import { expect, test } from '../../fixtures.ts'
import type { FilesPage } from '../../pages/FilesPage.ts'

/** Names that can be typed: a field has one line, and names are trimmed. */
const typable = NASTY_NAMES.filter((name) => name === name.trim() && !name.includes('\n'))

test('every name that can be typed is created, listed, downloaded, renamed and deleted', async ({
  files,
  server,
  page,
}) => {
  await files.openRoot()
  test.setTimeout(300_000)
  const names = () => readdirSync(server.root)
  for (const name of typable) {
    await test.step(JSON.stringify(name.slice(0, 20)), async () => {
      await files.sidebar('New file').click()
      await files.prompt.field.fill(name)
      await files.prompt.button('Create file').click()
      await expect(files.prompt.card).toBeHidden()
      await expect.poll(names).toEqual([name])
      // The new file opens.
      await page.waitForURL(({ pathname }) => pathname !== '/files/')
      writeFileSync(join(server.root, name), name)

      await files.goHome()
      await files.shows(shownName(name).text)
      await files.onlyRow.click()
      const coming = page.waitForEvent('download')
      await page.keyboard.press('ControlOrMeta+s')
      expect(readFileSync(await (await coming).path(), 'utf8')).toBe(name)

      await renameOnly(files, 'plain')
      await renameOnly(files, name)

      await page.keyboard.press('Delete')
      await expect(files.prompt.card).toBeHidden()
      await expect.poll(() => existsSync(join(server.root, name))).toBe(false)
    })
  }
})

test('names that cannot be typed are listed, renamed and deleted', async ({
  files,
  server,
  page,
}) => {
  await files.openRoot()
  for (const name of NASTY_NAMES.filter((name) => !typable.includes(name))) {
    writeFileSync(join(server.root, name), 'x')
    await files.open('/')
    await files.onlyRow.click()
    await page.keyboard.press('F2')
    // The unchanged name cancels, also with spaces at its ends.
    await expect(files.prompt.field).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(files.prompt.card).toBeHidden()
    expect(readdirSync(server.root)).toContain(name)
    await renameOnly(files, 'plain')
    expect(readFileSync(join(server.root, 'plain'), 'utf8')).toBe('x')
    await page.keyboard.press('Delete')
    await expect(page.getByText('This folder is empty')).toBeVisible()
  }
})

test('invisible characters of a name are visible everywhere @spec-2.29', async ({
  files,
  server,
  page,
}) => {
  const [disguised, seen] = ['holiday\u202egnp.exe', 'holiday⟨U+202E⟩gnp.exe']
  writeFileSync(join(server.root, disguised), 'x')
  writeFileSync(join(server.root, 'end '), 'x')
  await files.openRoot()
  await expect(files.grid.getByText(seen, { exact: true })).toBeVisible()
  await expect(files.grid.getByText('end␣', { exact: true })).toBeVisible()
  await files.select(seen)
  await page.keyboard.press('Space')
  await expect(page.getByRole('dialog', { name: `Quick look at ${seen}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('ControlOrMeta+c')
  await expect(files.toasts).toContainText(`${seen} is ready to paste`)
  await page.keyboard.press('Delete')
  await expect(files.toasts).toContainText(`${seen} moved to the trash`)
})

/** Renames the only, selected item; it is selected again afterwards. */
async function renameOnly(files: FilesPage, name: string): Promise<void> {
  await files.onlyRow.press('F2')
  await expect(files.prompt.field).toBeFocused()
  await files.prompt.field.fill(name)
  await files.prompt.field.press('Enter')
  await files.shows(shownName(name).text)
  // The live listing may show the new name a moment before the renamed item is selected.
  await expect(files.onlyRow).toHaveAttribute('aria-selected', 'true')
}
