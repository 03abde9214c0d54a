/**
 * The session token: in local storage as `jwt` (docs/specification.md 9). The cookie is set by the server and not
 * readable by scripts (docs/decisions.md 7).
 */

import { pageSettings } from '#ui/lib/page.ts'
import { TOKEN_COOKIE, TOKEN_STORAGE_KEY, type TokenClaims } from '#wire/session.ts'

/** The token in browsers that refuse storage: it is lost with the page. */
let inMemory: string | null = null

/** The token for requests. It is read from storage each time, because another tab may renew it. */
export function currentToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_STORAGE_KEY) ?? inMemory
  } catch {
    return inMemory
  }
}

/** Stores the token in local storage, or in memory if storage is refused. */
export function storeToken(token: string): void {
  try {
    localStorage.setItem(TOKEN_STORAGE_KEY, token)
  } catch {
    inMemory = token
  }
}

/** Deletes the token, and the cookie that earlier releases set. */
export function dropToken(): void {
  inMemory = null
  try {
    localStorage.removeItem(TOKEN_STORAGE_KEY)
  } catch {
    // Storage is refused: there is nothing to delete.
  }
  dropOldCookie()
}

/** The claims of a token, unverified: for display only. Undefined if it cannot be parsed. */
export function readClaims(token: string): TokenClaims | undefined {
  try {
    const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
    const bytes = Uint8Array.from(atob(payload), (char) => char.charCodeAt(0))
    // The server created the token from TokenClaims. A forged one only affects what this page shows.
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as TokenClaims
    return claims.user ? claims : undefined
  } catch {
    return undefined
  }
}

/** Earlier releases, and File Browser's interface, set this cookie by script. */
function dropOldCookie(): void {
  const path = `Path=${pageSettings().BaseURL || '/'}`
  // biome-ignore lint/suspicious/noDocumentCookie: insecure contexts have no Cookie Store API
  document.cookie = [`${TOKEN_COOKIE}=`, path, 'SameSite=Strict', 'Max-Age=0'].join('; ')
}
