/** Signing in with a passkey, without a name and a password. */
import * as api from '#ui/api/accounts/passkeys.ts'
import { loginWithPasskey } from '#ui/api/accounts/session.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { canFillPasskeys, requestPasskey } from '#ui/lib/page/web-authn.ts'
import { forgetUnknownPasskey, rememberPasskeyDevice } from './passkey-device.ts'
import { tokenByPasskey } from './passkey-token.ts'
import { finishSignIn } from './session.ts'

/**
 * Asks the browser for a passkey, and signs in with it.
 *
 * @returns false if the user cancelled
 * @throws Fault wrongCredentials, expired, tooMany, unavailable
 */
export async function signInWithPasskey(): Promise<boolean> {
  const token = await tokenByPasskey().catch(refused)
  return token !== undefined && enter(token)
}

/**
 * Lets the browser offer passkeys with the names that it fills in, until the user chooses one.
 *
 * @param signal ends the offer
 * @returns whether the user has signed in; false if the offer ended, or the browser cannot do this
 * @throws as `signInWithPasskey`
 */
export async function offerPasskeys(signal: AbortSignal): Promise<boolean> {
  if (!(await canFillPasskeys())) return false
  while (!signal.aborted) {
    // An offer that is not possible is no failure of the user, who has asked for nothing.
    const options = await api.signInOptions().catch(() => undefined)
    if (!options) return false
    const offer = new AbortController()
    const end = () => offer.abort()
    const renewal = setTimeout(end, ON_DEMAND_LIMITS.passkeyOfferMs)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    const credential = await requestPasskey(options, {
      mediation: 'conditional',
      signal: offer.signal,
    }).catch(() => undefined)
    clearTimeout(renewal)
    signal.removeEventListener('abort', end)
    if (credential) return enter(await loginWithPasskey(credential).catch(refused))
    // Without a renewal, the user or the browser has ended it.
    if (!offer.signal.aborted) return false
  }
  return false
}

function enter(token: string): Promise<boolean> {
  rememberPasskeyDevice()
  return finishSignIn(token)
}

function refused(error: unknown): never {
  forgetUnknownPasskey(error)
  throw error
}
