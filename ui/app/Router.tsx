import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Router as WouterRouter } from 'wouter'
import { usePathname, useSearch } from 'wouter/use-browser-location'
import { FILES, navigateIfAllowed, withoutBase } from '#ui/lib/page/location.ts'
import { ErrorPage } from '#ui/pages/ErrorPage.tsx'
import { session } from '#ui/state/session/session.ts'
import { settings } from '#ui/state/session/settings.ts'
import { Enrol } from './Enrol.tsx'
import { checkAccess } from './guard.ts'
import { Redirect } from './Redirect.tsx'
import { findRoute } from './routes.tsx'

/** Renders the page of the URL, or redirects to another URL. */
export function Router() {
  return (
    <WouterRouter
      base={settings.BaseURL}
      aroundNav={(navigate, to, options) => navigateIfAllowed(() => navigate(to, options))}
    >
      <Page />
    </WouterRouter>
  )
}

function Page(): ReactNode {
  // The raw pathname is used, because wouter decodes `a#b` and `a%23b` to the same URL.
  const pathname = withoutBase(usePathname()) ?? '/'
  const search = useSearch()
  const { user, endedBy, mustEnrol } = useSnapshot(session)
  if (user && mustEnrol) return <Enrol />
  const match = findRoute(pathname)
  if (!match) return <Redirect to={FILES + (pathname === '/' ? '/' : pathname)} />
  const url = pathname + search
  const reason = endedBy === 'inactivity' ? endedBy : undefined
  const result = checkAccess({ access: match.route.access, url, viewer: user, reason })
  if (result !== 'allow') return <Redirect to={result.redirect} />
  return pageOf(match)
}

function pageOf({ route, rest }: NonNullable<ReturnType<typeof findRoute>>): ReactNode {
  try {
    return route.page(rest || '/')
  } catch {
    // A path that cannot be decoded does not exist.
    return <ErrorPage kind="notFound" />
  }
}
