/** The passkeys of the signed-in user. */
import * as api from '#ui/api/accounts/passkeys.ts'
import { createPasskey } from '#ui/lib/page/web-authn.ts'
import type { Passkey, PasskeyList } from '#wire/api/passkeys.ts'
import { Fault } from '#wire/fault.ts'
import { ask } from '../dialogs/prompts.ts'
import { rememberPasskeyDevice } from './passkey-device.ts'
import { confirmed } from './reauth.ts'

/** @throws Fault unavailable */
export function ownPasskeys(): Promise<PasskeyList> {
  return api.list()
}

/**
 * Makes a passkey with the browser, and stores it. The first factor of a user has recovery codes, which are shown.
 *
 * @param name what the list shows, until the user changes it
 * @returns whether there is a new one; false if the user cancelled
 * @throws Fault conflict (the device has one, or not at this address), tooMany, unavailable, expired
 */
export async function addPasskey(name: string): Promise<boolean> {
  const options = await confirmed(api.creationOptions)
  const credential = options && (await createPasskey(options).catch(asFault))
  if (!credential) return false
  const { codes } = await api.add(name, credential)
  rememberPasskeyDevice()
  if (codes.length > 0) await ask({ name: 'recoveryCodes', codes })
  return true
}

/** @returns false if the user cancelled. @throws Fault badRequest (the name), notFound, unavailable */
export async function renamePasskey({ id, name }: Passkey): Promise<boolean> {
  const typed = await ask({ name: 'renamePasskey', current: name })
  if (typed === undefined) return false
  await api.rename(id, typed)
  return true
}

/** @returns false if the user cancelled. @throws Fault notFound, tooMany, unavailable */
export async function removePasskey({ id }: Passkey): Promise<boolean> {
  const done = await confirmed(async (password) => {
    await api.remove(id, password)
    return true as const
  })
  return done ?? false
}

/** The errors of browsers as faults with texts. */
function asFault(error: unknown): never {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'InvalidStateError') {
    throw new Fault('conflict', 'The device has a passkey of this account.', {
      reason: 'passkeyExists',
    })
  }
  if (name === 'SecurityError') {
    throw new Fault('conflict', 'Browsers accept no passkeys here.', { reason: 'passkeysNowhere' })
  }
  throw error
}
