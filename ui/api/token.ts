/**
 * The session's token: in local storage as `jwt` (docs/specification.md 9). The cookie is the server's, and out of
 * reach of scripts (docs/decisions.md 7).
 */

import { pageSettings } from '#ui/lib/page.ts'
import { TOKEN_COOKIE, TOKEN_STORAGE_KEY, type TokenClaims } from '#wire/session.ts'

/** For browsers that refuse storage: the token then lives as long as the page. */
let inMemory: string | null = null

/** The token every call sends. Read from storage each time, because another tab may renew it. */
export function currentToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_STORAGE_KEY) ?? inMemory
  } catch {
    return inMemory
  }
}

export function storeToken(token: string): void {
  try {
    localStorage.setItem(TOKEN_STORAGE_KEY, token)
  } catch {
    inMemory = token
  }
}

export function dropToken(): void {
  inMemory = null
  try {
    localStorage.removeItem(TOKEN_STORAGE_KEY)
  } catch {
    // Storage is refused: there is nothing to remove.
  }
  dropOldCookie()
}

/** What a token says of its owner, unverified: for display only. Undefined when it does not parse. */
export function readClaims(token: string): TokenClaims | undefined {
  try {
    const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
    const bytes = Uint8Array.from(atob(payload), (char) => char.charCodeAt(0))
    // The server made it from TokenClaims; a forged one only misleads its own page.
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as TokenClaims
    return claims.user ? claims : undefined
  } catch {
    return undefined
  }
}

/** Earlier releases, and File Browser's interface, wrote one themselves. */
function dropOldCookie(): void {
  const path = `Path=${pageSettings().BaseURL || '/'}`
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where the page is not secure
  document.cookie = [`${TOKEN_COOKIE}=`, path, 'SameSite=Strict', 'Max-Age=0'].join('; ')
}
