import { expect, test } from '../fixtures.ts'

test('a visitor is redirected to the login page, and after sign-in to the requested page', async ({
  page,
  login,
  server,
}) => {
  await page.goto('./files/some/where/')
  await expect(login.button).toBeVisible()
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await login.logIn('admin', 'wrong')
  await expect(page.getByText('The username or the password is wrong.')).toBeVisible()
  await login.logIn('admin', server.password)
  await expect(page).toHaveURL(/\/files\/some\/where\/$/)
})

test('the login page does not redirect to another host', async ({ page, login, server }) => {
  await page.goto('./login?redirect=//evil.example/')
  await login.logIn('admin', server.password)
  await expect(page).toHaveURL(`${server.url}/files/`)
})

test('a session survives a reload and ends with logout in every tab', { tag: '@plain' }, async ({
  page,
  files,
  context,
  login,
}) => {
  const other = await context.newPage()
  await other.goto('./files/')
  await expect(other.getByText('This folder is empty')).toBeVisible()
  await page.reload()
  await expect(files.status).toBeVisible()
  await files.sidebar('Log out').click()
  await expect(login.button).toBeVisible()
  await other.reload()
  await expect(other.getByRole('button', { name: 'Log in' })).toBeVisible()
})
