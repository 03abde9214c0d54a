/**
 * The text of an app password: `fm_` and five groups of five letters and digits. It can be typed with a remote control:
 * case and dashes have no meaning, and letters that look like digits count as these.
 */
import { LOOKALIKES, SYMBOLS } from '#server/lib/typeable.ts'

const PREFIX = 'fm_'
const BEGINS = /^\s*fm_/i
/** Random symbols of five bits each: 120 bits. One check symbol follows. */
const RANDOM_SYMBOLS = 24
const GROUP = 5

/** @returns a new app password */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_SYMBOLS))
  const symbols = Array.from(bytes, (byte) => SYMBOLS[byte % SYMBOLS.length]).join('')
  return formatted(symbols + checkSymbolOf(symbols))
}

/** Whether a text is meant to be an app password, with or without mistakes. */
export function looksLikeSecret(text: string): boolean {
  return BEGINS.test(text)
}

/**
 * @param text as a person has typed it
 * @returns the app password as it was made; undefined if it has a mistake
 */
export function readSecret(text: string): string | undefined {
  const typed = text.trim().toLowerCase().slice(PREFIX.length).replace(/[\s-]/g, '')
  const symbols = typed.replace(/[oil]/g, (letter) => LOOKALIKES[letter] ?? letter)
  if (symbols.length !== RANDOM_SYMBOLS + 1) return undefined
  if ([...symbols].some((symbol) => !SYMBOLS.includes(symbol))) return undefined
  return checkSymbolOf(symbols.slice(0, -1)) === symbols.at(-1) ? formatted(symbols) : undefined
}

/** The digest under which an app password is stored. It has enough random bits, so the digest need not be slow. */
export function digestOfSecret(secret: string): string {
  return new Bun.CryptoHasher('sha256').update(secret).digest('hex')
}

function formatted(symbols: string): string {
  const groups = symbols.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []
  return PREFIX + groups.join('-')
}

/** The check symbol of Luhn's algorithm modulo 32: it notices each wrong symbol, and most swaps of two neighbours. */
function checkSymbolOf(symbols: string): string {
  const base = SYMBOLS.length
  let sum = 0
  for (const [index, symbol] of [...symbols].toReversed().entries()) {
    const value = SYMBOLS.indexOf(symbol) * (index % 2 === 0 ? 2 : 1)
    sum += Math.floor(value / base) + (value % base)
  }
  return SYMBOLS[(base - (sum % base)) % base] ?? ''
}
