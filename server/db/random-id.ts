/** Makes random ids: of rows, tokens, links of shares and names of partial copies. */

/**
 * A random id: `bytes` random bytes in base64url.
 *
 * It never begins with a dash, because on the command line (`shares rm ID`) it would be read as an option.
 */
export function randomId(bytes: number): string {
  for (;;) {
    const id = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('base64url')
    if (!id.startsWith('-')) return id
  }
}
