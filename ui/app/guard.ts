/** Decides who may see which route (docs/specification.md 2). Pure. */
import { FILES, loginUrl, safeRedirect } from '#ui/lib/page/location.ts'

/**
 * Who may see a route. `visitor`: all clients. `guest`: only clients that are not signed in. `user`: only users who are
 * signed in. `sharer`: only users with the permission to share, and administrators. `admin`: only administrators.
 */
export type Access = 'visitor' | 'guest' | 'user' | 'sharer' | 'admin'

export interface GuardedUser {
  perm: { admin: boolean; share: boolean }
}

export type GuardResult = 'allow' | { redirect: string }

export interface VisitedPage {
  access: Access
  /** The requested URL, without the base path, with its query. */
  url: string
  /** The signed-in user; null if no user is signed in. */
  viewer: GuardedUser | null
  /** Why the session has ended, if the login page should show it. */
  reason?: string | undefined
}

/** Allows the page, or returns the URL to redirect to. */
export function checkAccess({ access, url, viewer, reason }: VisitedPage): GuardResult {
  if (access === 'visitor') return 'allow'
  if (access === 'guest') return viewer ? { redirect: redirectOf(url) } : 'allow'
  if (!viewer) return { redirect: withReason(loginUrl(url), reason) }
  const { admin, share } = viewer.perm
  const isAllowed = access === 'user' || admin || (access === 'sharer' && share)
  return isAllowed ? 'allow' : { redirect: '/403' }
}

/** The reason is part of the URL (docs/api.md 10.2), so that it survives a reload. */
function withReason(url: string, reason: string | undefined): string {
  if (!reason) return url
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams({ [REASON]: reason })}`
}

const REASON = 'logout-reason'

/** The URL that the login page redirects to after sign-in. */
function redirectOf(loginUrl: string): string {
  const query = loginUrl.slice(loginUrl.indexOf('?') + 1)
  const redirect = loginUrl.includes('?') ? new URLSearchParams(query).get('redirect') : null
  return redirect ? safeRedirect(redirect) : `${FILES}/`
}
