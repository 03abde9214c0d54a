/**
 * A random id: `bytes` random bytes in base64url.
 *
 * It never begins with a dash, because on the command line (`shares rm ID`) it would be read as an option.
 */
export function randomId(bytes: number): string {
  for (;;) {
    const name = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64url')
    if (!name.startsWith('-')) return name
  }
}
