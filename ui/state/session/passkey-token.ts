/** A new session by a passkey; who is signed in on this page does not change yet. */
import * as api from '#ui/api/accounts/passkeys.ts'
import { loginWithPasskey } from '#ui/api/accounts/session.ts'
import { requestPasskey } from '#ui/lib/page/web-authn.ts'

/**
 * Asks the browser for a passkey.
 *
 * @returns the token of the session; undefined if the user cancelled
 * @throws Fault wrongCredentials, expired, tooMany, unavailable
 */
export async function tokenByPasskey(): Promise<string | undefined> {
  const credential = await requestPasskey(await api.signInOptions())
  return credential && loginWithPasskey(credential)
}
