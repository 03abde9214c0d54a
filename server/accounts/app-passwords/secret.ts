/**
 * The text of an app password: `fm_` and five groups of five letters and digits. It can be typed with a remote control:
 * case and dashes have no meaning, and letters that look like digits count as these.
 */

/** Crockford's alphabet for base 32: no i, l, o and u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const PREFIX = 'fm_'
/** Random symbols of five bits each: 120 bits. One check symbol follows. */
const RANDOM_SYMBOLS = 24
const GROUP = 5
const LOOKALIKES: Record<string, string> = { o: '0', i: '1', l: '1' }

/** @returns a new app password */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_SYMBOLS))
  const symbols = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return formatted(symbols + checkSymbolOf(symbols))
}

/** Whether a text is meant to be an app password, with or without mistakes. */
export function looksLikeSecret(text: string): boolean {
  return text.trim().toLowerCase().startsWith(PREFIX)
}

/**
 * @param text as a person has typed it
 * @returns the app password as it was made; undefined if it has a mistake
 */
export function readSecret(text: string): string | undefined {
  const typed = text.trim().toLowerCase().slice(PREFIX.length).replace(/[\s-]/g, '')
  const symbols = typed.replace(/[oil]/g, (letter) => LOOKALIKES[letter] ?? letter)
  if (symbols.length !== RANDOM_SYMBOLS + 1) return undefined
  if ([...symbols].some((symbol) => !ALPHABET.includes(symbol))) return undefined
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
  const base = ALPHABET.length
  let sum = 0
  for (const [index, symbol] of [...symbols].toReversed().entries()) {
    const value = ALPHABET.indexOf(symbol) * (index % 2 === 0 ? 2 : 1)
    sum += Math.floor(value / base) + (value % base)
  }
  return ALPHABET[(base - (sum % base)) % base] ?? ''
}
