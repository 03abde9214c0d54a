/** The log-in with a provider on the login page: which ones there are, and whether one is opened by itself. */
import * as api from '#ui/api/accounts/identity.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { LoginProviders } from '#wire/api/identity.ts'
import type { EndReason } from './session.ts'

/** In the storage of the tab: when a provider was opened by itself. */
const OPENED_KEY = 'provider-opened'
/** In the storage of the tab: the user has logged out, and chooses how to log in again. */
const LEFT_KEY = 'provider-left'

export const loadLoginProviders = api.loginProviders

/** Links an account at a provider with the user. @throws Fault expired, conflict, badRequest */
export const linkAccount = api.link

/** Opens a provider. The page is left. */
export function openProvider(id: string, returnTo: string): void {
  location.assign(api.providerLoginUrl(id, returnTo))
}

interface Visit {
  query: URLSearchParams
  endedBy: EndReason | undefined
}

/**
 * @returns the provider that the login page opens by itself, which this call notes; empty if none: after a log-out, in a
 *   frame, after a problem, with `local` in the address, and shortly after the last time
 */
export function takeRedirect({ redirectsTo }: LoginProviders, { query, endedBy }: Visit): string {
  // A log-out at the provider returns with `state`.
  if (endedBy === 'left' || query.has('state')) write(LEFT_KEY, '1')
  else if (endedBy !== undefined) write(LEFT_KEY, '')
  const stays = ['local', 'state', 'problem', 'flow', 'signup'].some((name) => query.has(name))
  const isFramed = window.top !== window.self
  if (redirectsTo === '' || stays || isFramed || read(LEFT_KEY) !== '') return ''
  const openedMs = Number(read(OPENED_KEY))
  if (Math.abs(Date.now() - openedMs) < ON_DEMAND_LIMITS.providerAgainMs) return ''
  // Without storage there is no protection from a loop.
  return write(OPENED_KEY, String(Date.now())) ? redirectsTo : ''
}

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

/** @returns whether it is stored */
function write(key: string, value: string): boolean {
  try {
    sessionStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}
