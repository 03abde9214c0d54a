/** What assistive technologies get of a field: its name, its description, and whether its value is valid. */
import { expect, test } from '../../fixtures.ts'
import { SettingsPage } from '../../pages/SettingsPage.ts'

test('a field is named by its label alone, and described by its hint @spec-10.5', async ({
  files,
  page,
}) => {
  await files.openRoot()
  await files.sidebar('New file').click()
  const { field } = files.prompt
  await field.fill('a.txt')
  await expect(field).toHaveAccessibleName('Name')
  await expect(field).toHaveAccessibleDescription(/a\.txt/)
  await expect(field).not.toHaveAttribute('aria-invalid')
  await field.fill('a/b')
  await expect(field).toHaveAccessibleName('Name')
  await expect(field).toHaveAccessibleDescription(/slash/)
  await expect(field).toHaveAttribute('aria-invalid', 'true')

  await new SettingsPage(page).open('profile')
  const password = page.getByLabel('New password', { exact: true })
  await expect(password).toHaveAccessibleName('New password')
  await expect(password).toHaveAccessibleDescription('At least 12 characters.')
})

test('the region that announces the hint of a field exists before there is a hint @spec-10.5', async ({
  files,
  page,
}) => {
  await files.open('/')
  await new SettingsPage(page).open('profile')
  const again = page.getByLabel('Repeat new password', { exact: true })
  const region = page.locator('.Field', { has: again }).locator('[aria-live=polite]')
  await expect(region).toHaveCount(1)
  await expect(region).toHaveText('')
  const before = await region.elementHandle()
  await page.getByLabel('New password', { exact: true }).fill('a long password')
  await again.fill('another')
  await expect(region).toHaveText('The passwords do not match.')
  expect(await region.evaluate((now, then) => now === then, before)).toBe(true)
  await expect(again).toHaveAttribute('aria-invalid', 'true')
})
