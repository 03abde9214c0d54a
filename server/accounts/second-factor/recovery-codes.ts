/** Recovery codes: each replaces a one-time code once, for users who have lost the device with their app. */
import { LOOKALIKES, SYMBOLS } from '#server/lib/typeable.ts'

const COUNT = 10
/** Symbols of five bits each: 50 bits. */
const LENGTH = 10
const GROUP = 5

/** @returns ten new codes */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const bytes = crypto.getRandomValues(new Uint8Array(LENGTH))
    return formatted(Array.from(bytes, (byte) => SYMBOLS[byte % SYMBOLS.length]).join(''))
  })
}

/**
 * @param text as a person has typed it
 * @returns the code as it was made; undefined if it has another form
 */
export function readRecoveryCode(text: string): string | undefined {
  const typed = text.toLowerCase().replace(/[\s-]/g, '')
  const symbols = typed.replace(/[oil]/g, (letter) => LOOKALIKES[letter] ?? letter)
  if (symbols.length !== LENGTH) return undefined
  return [...symbols].every((symbol) => SYMBOLS.includes(symbol)) ? formatted(symbols) : undefined
}

/** The digest under which a code is stored. It has enough random bits, so the digest need not be slow. */
export function digestOfCode(code: string): string {
  return new Bun.CryptoHasher('sha256').update(code).digest('hex')
}

function formatted(symbols: string): string {
  return `${symbols.slice(0, GROUP)}-${symbols.slice(GROUP)}`
}
