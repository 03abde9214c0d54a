/** Whether passkeys are used in this browser. The login page then begins with them. */
import { remember, remembered } from '#ui/lib/remembered.ts'
import { isFault } from '#wire/fault.ts'

const KEY = 'filemgr.passkeys'

/** A passkey was added, or has signed in, and none was refused as unknown since. */
export function isPasskeyDevice(): boolean {
  return remembered(KEY) === true
}

export function rememberPasskeyDevice(): void {
  remember(KEY, true)
}

/** Forgets it if the server does not know the passkey any more. */
export function forgetUnknownPasskey(error: unknown): void {
  if (isFault(error) && error.reason === 'passkeyUnknown') remember(KEY, undefined)
}
