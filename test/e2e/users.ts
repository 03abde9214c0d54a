/** A user who is not the administrator. */
import { type Permission, permissionsOf } from '#wire/permissions.ts'
import { API } from '#wire/routes.ts'
import { signIn } from '../support/client.ts'
import type { TestServer } from '../support/server.ts'

export const PASSWORD = 'northern lights 26'

/**
 * Adds a user whose scope is the whole folder, with these permissions. The password is `PASSWORD`.
 *
 * @throws Error if the server refuses
 */
export async function addUser(
  { url, password }: TestServer,
  username: string,
  ...granted: Permission[]
): Promise<void> {
  const admin = await signIn(url, 'admin', password)
  const answer = await admin.call('POST', API.users, {
    what: 'user',
    which: [],
    current_password: password,
    data: { username, password: PASSWORD, scope: '/', perm: permissionsOf(...granted) },
  })
  if (!answer.ok) throw new Error(`Adding ${username}: ${answer.status} ${await answer.text()}`)
}

/** Changes by the administrator in an earlier session, which has ended. */
export async function dismissFirstSteps({ url, password }: TestServer): Promise<void> {
  const admin = await signIn(url, 'admin', password)
  await admin.call('DELETE', API.firstSteps)
  await admin.call('POST', API.logout)
}
