/**
 * The session token: in local storage as `jwt` (docs/specification.md 9). The server also sets a cookie with the token,
 * which scripts cannot read (docs/decisions.md 7).
 */

import { pageSettings } from '#ui/lib/page/page.ts'
import { TOKEN_COOKIE, TOKEN_STORAGE_KEY, type TokenClaims } from '#wire/api/session.ts'

/** The token if storage is refused or full: it is lost when the page is closed or reloaded. */
let inMemory: string | null = null
/** The older token that storage still has while `inMemory` replaces it. */
let outdated: string | null = null

/** The token for requests. It is read from storage each time, because another tab may renew it or sign out. */
export function currentToken(): string | null {
  try {
    const stored = localStorage.getItem(TOKEN_STORAGE_KEY)
    return (stored === outdated && inMemory) || stored
  } catch {
    return inMemory
  }
}

/** Stores the token in local storage, or in memory if storage is refused or full. */
export function storeToken(token: string): void {
  inMemory = null
  try {
    outdated = localStorage.getItem(TOKEN_STORAGE_KEY)
    localStorage.setItem(TOKEN_STORAGE_KEY, token)
  } catch {
    inMemory = token
  }
}

/** Deletes the token, and an old cookie. */
export function dropToken(): void {
  inMemory = null
  try {
    localStorage.removeItem(TOKEN_STORAGE_KEY)
  } catch {
    // Storage is refused: there is nothing to delete.
  }
  dropOldCookie()
}

/** The claims of a token, unverified: for display only. Undefined if it cannot be parsed or names no user. */
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

/**
 * Deletes the cookie of the same name that scripts of earlier releases and of File Browser set. A cookie of the server
 * is HttpOnly and stays.
 */
function dropOldCookie(): void {
  const path = `Path=${pageSettings().BaseURL || '/'}`
  // biome-ignore lint/suspicious/noDocumentCookie: insecure contexts have no Cookie Store API
  document.cookie = [`${TOKEN_COOKIE}=`, path, 'SameSite=Strict', 'Max-Age=0'].join('; ')
}
