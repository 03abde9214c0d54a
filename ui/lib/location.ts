/** Addresses inside the app, without and with the base path the server puts it under. */
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { pageSettings } from './page.ts'

export const FILES = '/files'
export const LOGIN = '/login'
/** In the query of the login page: somebody wants an account. */
export const SIGN_UP = 'signup'
export const SETTINGS = '/settings'
export const PROFILE = `${SETTINGS}/profile`
export const TRASH = `${SETTINGS}/trash`
export const ACTIVITY = `${SETTINGS}/activity`
export const USERS = `${SETTINGS}/users`

/** The app's address of a folder or file. */
export function filesUrl(path: TreePath, asFolder: boolean): string {
  return FILES + toUrlPath(path, asFolder)
}

/** The same, with a table as plain text. */
export function textUrl(path: TreePath): string {
  return `${filesUrl(path, false)}?edit=true`
}

/** Whether the address asks for a table as plain text (docs/api.md 10.2). */
export function wantsText(): boolean {
  return new URLSearchParams(location.search).get('edit') === 'true'
}

/** An app or API address as the browser needs it. */
export function withBase(url: string): string {
  return pageSettings().BaseURL + url
}

/** The other way: what follows the base path, or undefined outside of the app. */
export function withoutBase(pathname: string): string | undefined {
  const base = pageSettings().BaseURL
  if (base === '') return pathname
  if (pathname === base) return '/'
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined
}

/** Goes to an address of the app. The router listens to the history, so this works from anywhere. */
export function goTo(url: string, { replace = false } = {}): void {
  passNavigationGuard(() => {
    if (replace) history.replaceState(history.state, '', withBase(url))
    else history.pushState({ [CAME_FROM]: hereUrl() }, '', withBase(url))
  })
}

/**
 * Goes up to `url` from what was opened there: the way that led here is the way back, so that going
 * back once more does not open the same again.
 */
export function leaveFor(url: string): void {
  const state: unknown = history.state
  const cameFrom = state !== null && typeof state === 'object' && Reflect.get(state, CAME_FROM)
  if (cameFrom === url) passNavigationGuard(() => history.back())
  else goTo(url, { replace: true })
}

/** In the state of an entry of the history: the address of the app that led to it. */
export const CAME_FROM = 'cameFrom'

/** Calls `go`, now, later or never. */
type NavigationGuard = (go: () => void) => void

let navigationGuard: NavigationGuard | undefined

/** From now on `guard` decides about every way off the page; undefined opens it again. */
export function setNavigationGuard(guard: NavigationGuard | undefined): void {
  navigationGuard = guard
}

/** Goes somewhere else, if whoever guards the page lets it. */
export function passNavigationGuard(go: () => void): void {
  if (navigationGuard) navigationGuard(go)
  else go()
}

/** Where the person is, as an address of the app. */
export function hereUrl(): string {
  return (withoutBase(location.pathname) ?? '/') + location.search
}

/** The address to go to after signing in: only one of this app, never another host (`//`, `/\`). */
export function safeRedirect(wanted: string | null): string {
  const mine = wanted !== null && /^\/(?![/\\])/.test(wanted) && !/[\t\n\r]/.test(wanted)
  return mine ? wanted : `${FILES}/`
}

/** The sign-in address that leads back to `url` afterwards. */
export function loginUrl(url: string): string {
  const query = new URLSearchParams({ redirect: url })
  return url === '/' || url === `${FILES}/` ? LOGIN : `${LOGIN}?${query}`
}
