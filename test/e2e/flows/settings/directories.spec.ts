/** A directory (LDAP) is set up in the settings: tested as it is typed, saved, changed and removed. */
import {
  directoryMissing,
  READER_PASSWORD,
  startDirectory,
  type TestDirectory,
} from '../../../support/identity/directory.ts'
import { expect, test } from '../../fixtures.ts'

test.use({ ownServer: true })

const SECRET = 'a password in the directory 26'

let directory: TestDirectory
test.beforeAll(async () => {
  const missing = directoryMissing()
  test.skip(missing !== undefined, missing)
  directory = await startDirectory()
  await directory.person('ana', SECRET)
})
test.afterAll(() => directory?.remove())

test('a directory is tested before it is saved, then saved, changed and removed', async ({
  page,
  server,
  settings,
}) => {
  const { address, ca, bindDN, base } = directory.options
  await settings.open('global/login')
  await page.getByRole('button', { name: 'Add a directory' }).click()
  await expect(page.getByText('A short name for commands and records.')).toBeVisible()
  await expect(page.getByText('Empty: the directory does not decide this.')).toBeVisible()

  await page.getByLabel('Name', { exact: true }).fill('Office')
  await page.getByLabel('ID', { exact: true }).fill('office')
  const addressField = page.getByLabel('Address of the directory')
  await addressField.fill('ldap://localhost:9')
  await page.getByLabel('Certificate of its authority').fill(ca)
  await page.getByLabel('Account that searches').fill(bindDN)
  await page.getByLabel('Its password').fill(READER_PASSWORD)
  await page.getByLabel('Base of the users').fill(base)

  const result = page.getByRole('region', { name: 'Test', exact: true }).getByRole('status')
  const look = page.getByRole('button', { name: 'Test', exact: true })
  await page.getByLabel('Username', { exact: true }).fill('ana')
  await look.click()
  await expect(result).toContainText('The directory cannot be reached')
  // It was said about another address.
  await addressField.fill(address)
  await expect(result).toBeEmpty()
  await look.click()
  await expect(result).toContainText('It would be refused')
  await page.getByLabel('New accounts').selectOption('all')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await look.click()
  await expect(result).toContainText('The password is wrong.')
  await page.getByLabel('Password', { exact: true }).fill(SECRET)
  await expect(result).toBeEmpty()
  await look.click()
  await expect(result).toContainText('It would create the user ana.')

  await page.getByRole('button', { name: 'Save' }).click()
  await settings.confirm(server.password)
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(page.getByText('Leave it empty to keep the stored one.')).toBeVisible()
  await page.getByLabel('Base of the users').fill('nonsense')
  await page.getByRole('button', { name: 'Save' }).click()
  await settings.confirm(server.password)
  await expect(page.getByRole('alert')).toContainText('A distinguished name is not valid.')
  await page.getByLabel('Base of the users').fill(base)
  await page.getByLabel('Users can log in with it').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await settings.confirm(server.password)
  await expect(page.getByText('Settings saved')).toBeVisible()
  // The password that was typed once is still there.
  await look.click()
  await expect(result).toContainText('It would create the user ana.')

  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText(address)).toBeVisible()
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await settings.confirm(server.password)
  await expect(page.getByText('There are no directories yet.')).toBeVisible()
})
