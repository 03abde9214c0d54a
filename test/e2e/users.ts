/** Users of the flows: new ones, and the administrator without the login page. */
import type { Page } from 'playwright/test'
import { API } from '#wire/api/routes.ts'
import { TOKEN_HEADER, TOKEN_STORAGE_KEY } from '#wire/api/session.ts'
import { type Permission, permissionsOf } from '#wire/permissions.ts'
import { signIn } from '../support/server/client.ts'
import type { TestServer } from '../support/server/server.ts'

export const PASSWORD = 'northern lights 26'

/**
 * Adds a user with the same scope as the administrator, and with these permissions. The password is `PASSWORD`.
 *
 * @returns the name: `name`, with that of the administrator, because other tests may add users to the same server
 * @throws Error if the server refuses
 */
export async function addUser(
  { url, username: ownName, password, scope }: TestServer,
  name: string,
  ...granted: Permission[]
): Promise<string> {
  const username = `${name} ${ownName}`
  const admin = await signIn(url, ownName, password)
  const answer = await admin.call('POST', API.users, {
    what: 'user',
    which: [],
    current_password: password,
    data: { username, password: PASSWORD, scope, perm: permissionsOf(...granted) },
  })
  if (!answer.ok) throw new Error(`Adding ${username}: ${answer.status} ${await answer.text()}`)
  return username
}

/**
 * Signs the administrator in for a page without the login page, which most flows do not test.
 *
 * @param options.firstSteps whether the card of first steps stays
 * @throws Error if the server refuses
 */
export async function signInPage(
  page: Page,
  { username, password }: TestServer,
  { firstSteps }: { firstSteps: boolean },
): Promise<void> {
  // The request shares its cookies with the page.
  const response = await page.request.post(`.${API.login}`, {
    data: { username, password },
  })
  const token = await response.text()
  if (!response.ok()) throw new Error(`Signing in: ${response.status()} ${token}`)
  if (!firstSteps) {
    await page.request.delete(`.${API.firstSteps}`, { headers: { [TOKEN_HEADER]: token } })
  }
  // Only for the first document of this page: a later sign-out stays.
  await page.addInitScript(
    ([key, token]) => {
      if (window.top !== window || location.origin === 'null') return
      if (sessionStorage.getItem('isSignedIn')) return
      sessionStorage.setItem('isSignedIn', 'true')
      localStorage.setItem(key, token)
    },
    [TOKEN_STORAGE_KEY, token] as const,
  )
}

/** Dismisses the card of first steps, in a session of the administrator that ends at once. */
export async function dismissFirstSteps({ url, username, password }: TestServer): Promise<void> {
  const admin = await signIn(url, username, password)
  await admin.call('DELETE', API.firstSteps)
  await admin.call('POST', API.logout)
}
