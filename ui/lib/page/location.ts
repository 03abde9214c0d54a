/** URLs inside the app, without and with the base path of the server. */
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { pageSettings } from './page.ts'

export const FILES = '/files'
export const LOGIN = '/login'
/** A query parameter of the login page: shows the sign-up form. */
export const SIGN_UP = 'signup'
export const SETTINGS = '/settings'
export const PROFILE = `${SETTINGS}/profile`
export const SHARES = `${SETTINGS}/shares`
export const TRASH = `${SETTINGS}/trash`
export const SPACE = `${SETTINGS}/space`
export const ACTIVITY = `${SETTINGS}/activity`
export const USERS = `${SETTINGS}/users`

/** The app's URL of a folder or file. */
export function filesUrl(path: TreePath, asFolder: boolean): string {
  return FILES + toUrlPath(path, asFolder)
}

/** The query of a table that is shown as plain text. */
export const AS_TEXT = '?edit=true'

/** Whether the URL requests a table as plain text (docs/api.md 10.2). */
export function wantsText(): boolean {
  return new URLSearchParams(location.search).get('edit') === 'true'
}

/** Prepends the base path to a URL of the app or the API. */
export function withBase(url: string): string {
  return pageSettings().BaseURL + url
}

/** The inverse of `withBase`: undefined for a URL outside the app. */
export function withoutBase(pathname: string): string | undefined {
  const base = pageSettings().BaseURL
  if (base === '') return pathname
  if (pathname === base) return '/'
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined
}

/** Navigates to a URL of the app. The router follows the history, so any module can call this function. */
export function goTo(url: string, { replace = false } = {}): void {
  navigateIfAllowed(() => {
    if (replace) history.replaceState(history.state, '', withBase(url))
    else history.pushState({ [CAME_FROM]: currentUrl() }, '', withBase(url))
  })
}

/**
 * Navigates up to `url`. If the page was opened from `url`, it goes back in the history, so that the back button does
 * not open the page again.
 */
export function goUpTo(url: string): void {
  const state: unknown = history.state
  const cameFrom = state !== null && typeof state === 'object' && Reflect.get(state, CAME_FROM)
  if (cameFrom === url) navigateIfAllowed(() => history.back())
  else goTo(url, { replace: true })
}

/** In the state of a history entry: the URL of the app that was shown before it. */
export const CAME_FROM = 'cameFrom'

/** Decides about a navigation: calls `go` at once, later (after a question), or never. */
type NavigationGuard = (go: () => void) => void

let navigationGuard: NavigationGuard | undefined

/** From now on `guard` decides about every navigation; undefined removes the guard. */
export function setNavigationGuard(guard: NavigationGuard | undefined): void {
  navigationGuard = guard
}

/** Calls `go`, which navigates, if the guard of the page allows it. */
export function navigateIfAllowed(go: () => void): void {
  if (navigationGuard) navigationGuard(go)
  else go()
}

/** The current URL, without the base path. */
export function currentUrl(): string {
  return (withoutBase(location.pathname) ?? '/') + location.search
}

/** @returns `url` if it is a URL of this app; else that of the root folder. `//` and `/\` begin the URL of another host. */
export function safeRedirect(url: string | null): string {
  const isSafe = url !== null && /^\/(?![/\\])/.test(url) && !/[\t\n\r]/.test(url)
  return isSafe ? url : `${FILES}/`
}

/** The URL of the login page, which redirects to `url` after sign-in. */
export function loginUrl(url: string): string {
  const query = new URLSearchParams({ redirect: url })
  return url === '/' || url === `${FILES}/` ? LOGIN : `${LOGIN}?${query}`
}
