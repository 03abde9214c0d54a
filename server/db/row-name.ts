/**
 * A name for a row that nobody can guess: `bytes` of randomness in base64url.
 *
 * It never begins with a dash, because people type it after `shares rm`, where a word with a dash in
 * front would be an option.
 */
export function randomName(bytes: number): string {
  for (;;) {
    const name = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64url')
    if (!name.startsWith('-')) return name
  }
}
