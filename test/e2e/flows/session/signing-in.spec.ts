import { expect, test } from '../../fixtures.ts'

test('a visitor is redirected to the login page, and after sign-in to the requested page @spec-2.7 @spec-8.1', async ({
  page,
  login,
  server,
}) => {
  await page.goto('./files/some/where/')
  await expect(login.button).toBeVisible()
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await login.logIn(server.username, 'wrong')
  await expect(page.getByText('Wrong username or password.')).toBeVisible()
  await login.logIn(server.username, server.password)
  await expect(page).toHaveURL(/\/files\/some\/where\/$/)
})

test('the login page does not redirect to another host @spec-2.10', async ({
  page,
  login,
  server,
}) => {
  await page.goto('./login?redirect=//evil.example/')
  await login.logIn(server.username, server.password)
  await expect(page).toHaveURL(`${server.url}/files/`)
})

test('a session survives a reload and ends with logout in every tab @spec-2.8 @spec-4.1', {
  tag: '@both',
}, async ({ page, files, context, login }) => {
  await files.openRoot()
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
