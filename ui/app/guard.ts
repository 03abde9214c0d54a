/** Who may see which route (spec section 2). Pure. */
import { FILES, loginUrl, safeRedirect } from '#ui/lib/location.ts'

/** `visitor`: anyone. `guest`: only those who are not signed in. */
export type Access = 'visitor' | 'guest' | 'user' | 'sharer' | 'admin'

export interface Viewer {
  perm: { admin: boolean; share: boolean }
}

export type Verdict = 'allow' | { redirect: string }

export interface Visit {
  access: Access
  /** The address asked for, without the base path, with its query. */
  url: string
  viewer: Viewer | null
}

/** Lets a visit pass, or says where to go instead. */
export function judge({ access, url, viewer }: Visit): Verdict {
  if (access === 'visitor') return 'allow'
  if (access === 'guest') return viewer ? { redirect: redirectOf(url) } : 'allow'
  if (!viewer) return { redirect: loginUrl(url) }
  const { admin, share } = viewer.perm
  const may = access === 'user' || admin || (access === 'sharer' && share)
  return may ? 'allow' : { redirect: '/403' }
}

function redirectOf(loginAddress: string): string {
  const query = loginAddress.slice(loginAddress.indexOf('?') + 1)
  const wanted = loginAddress.includes('?') ? new URLSearchParams(query).get('redirect') : null
  return wanted ? safeRedirect(wanted) : `${FILES}/`
}
