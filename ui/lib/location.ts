/** Addresses inside the app, without and with the base path the server puts it under. */
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { pageSettings } from './page.ts'

export const FILES = '/files'
export const LOGIN = '/login'

/** The app's address of a folder or file. */
export function filesUrl(path: TreePath, asFolder: boolean): string {
  return FILES + toUrlPath(path, asFolder)
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
  if (replace) history.replaceState(null, '', withBase(url))
  else history.pushState(null, '', withBase(url))
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
