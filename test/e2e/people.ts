/** Somebody other than the administrator. */
import { type Permission, permissionsOf } from '#wire/permissions.ts'
import { API } from '#wire/routes.ts'
import { signIn } from '../support/client.ts'
import type { TestServer } from '../support/server.ts'

export const PASSWORD = 'northern lights 26'

/**
 * Adds a person who sees the whole folder and may do this much. Their password is `PASSWORD`.
 *
 * @throws Error when the server does not add them
 */
export async function addPerson(
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

/** As the administrator did in an earlier session, which has ended. */
export async function dismissFirstSteps({ url, password }: TestServer): Promise<void> {
  const admin = await signIn(url, 'admin', password)
  await admin.call('DELETE', API.firstSteps)
  await admin.call('POST', API.logout)
}
