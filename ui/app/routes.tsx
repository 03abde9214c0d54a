/** The route table of the specification (section 2). A new page is a new row. */

import type { ReactNode } from 'react'
import { findGlobalSection } from '#ui/lib/accounts/global-sections.ts'
import {
  ACTIVITY,
  FILES,
  LOGIN,
  PROFILE,
  SETTINGS,
  SPACE,
  TRASH,
  USERS,
} from '#ui/lib/page/location.ts'
import { parseShareUrl, SHARE } from '#ui/lib/urls/share-urls.ts'
import { ErrorPage } from '#ui/pages/ErrorPage.tsx'
import { FilesPage } from '#ui/pages/FilesPage.tsx'
import { INVITE_PAGE } from '#wire/api/routes.ts'
import { parseUrlPath } from '#wire/paths.ts'
import type { Access } from './guard.ts'
import { Invite } from './Invite.tsx'
import { Login } from './Login.tsx'
import { Redirect } from './Redirect.tsx'
import { Settings } from './Settings.tsx'
import { Share } from './Share.tsx'

export interface PageRoute {
  /** The URL of the page; with `deep`, also of every page below it. */
  prefix: string
  deep?: true
  access: Access
  /** `rest` is the part after the prefix, still percent-encoded. */
  page(rest: string): ReactNode
}

const ROUTES: readonly PageRoute[] = [
  { prefix: LOGIN, access: 'guest', page: () => <Login /> },
  {
    prefix: FILES,
    deep: true,
    access: 'user',
    page: (rest) => <FilesPage requested={parseUrlPath(rest)} />,
  },
  {
    prefix: SHARE,
    deep: true,
    access: 'visitor',
    page: (rest) => <Share sharePath={parseShareUrl(rest)} />,
  },
  { prefix: INVITE_PAGE, access: 'visitor', page: () => <Invite /> },
  { prefix: SETTINGS, access: 'user', page: () => <Redirect to={PROFILE} /> },
  { prefix: PROFILE, access: 'user', page: () => <Settings screen={{ name: 'profile' }} /> },
  {
    prefix: `${SETTINGS}/shares`,
    access: 'sharer',
    page: () => <Settings screen={{ name: 'shares' }} />,
  },
  { prefix: TRASH, access: 'user', page: () => <Settings screen={{ name: 'trash' }} /> },
  {
    prefix: SPACE,
    deep: true,
    access: 'user',
    page: (rest) => <Settings screen={{ name: 'space', folder: parseUrlPath(rest).path }} />,
  },
  { prefix: ACTIVITY, access: 'user', page: () => <Settings screen={{ name: 'activity' }} /> },
  {
    prefix: `${SETTINGS}/global`,
    deep: true,
    access: 'admin',
    page: (rest) => globalPage(rest),
  },
  { prefix: USERS, deep: true, access: 'admin', page: (rest) => usersPage(rest) },
  { prefix: '/403', access: 'visitor', page: () => <ErrorPage kind="forbidden" /> },
  { prefix: '/404', access: 'visitor', page: () => <ErrorPage kind="notFound" /> },
  { prefix: '/500', access: 'visitor', page: () => <ErrorPage kind="internal" /> },
]

/** A section of the global settings; with or without a slash at the end. */
function globalPage(rest: string): ReactNode {
  const section = findGlobalSection(rest.replace(/^\//, '').replace(/\/$/, ''))
  if (!section) return <ErrorPage kind="notFound" />
  return <Settings screen={{ name: 'global', section }} />
}

/** The list of users, a new user, or the user with this id; with or without a slash at the end. */
function usersPage(rest: string): ReactNode {
  const which = rest.replace(/^\//, '').replace(/\/$/, '')
  if (which === '') return <Settings screen={{ name: 'users' }} />
  if (which === 'new') return <Settings screen={{ name: 'newUser' }} />
  if (/^\d+$/.test(which)) return <Settings screen={{ name: 'user', id: Number(which) }} />
  return <ErrorPage kind="notFound" />
}

/** @returns the route of a URL without the base path, and the part after its prefix */
export function findRoute(pathname: string): { route: PageRoute; rest: string } | undefined {
  for (const route of ROUTES) {
    const rest = pathname.slice(route.prefix.length)
    const matches = pathname.startsWith(route.prefix) && (rest === '' || rest.startsWith('/'))
    if (matches && (route.deep || rest === '' || rest === '/')) return { route, rest }
  }
  return undefined
}
