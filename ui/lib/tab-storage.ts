/** What a tab remembers until it is closed. Where its storage is refused, nothing outlives the page. */

export function rememberForTab(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Refused, or full: the value before must not stand for this one.
    forgetForTab(key)
  }
}

/** Null for nothing. */
export function readForTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

export function forgetForTab(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Refused.
  }
}
