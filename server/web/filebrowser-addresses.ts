/** Addresses of File Browser's interface that bookmarks and home screens still use. */

import { APP_MANIFEST } from './app-manifest.ts'

const ICONS = '/static/img/icons/'
const PICTURES = '/static/img/'

/** Which current icon replaces an icon of File Browser. */
const CURRENT_ICONS: [old: RegExp, current: string][] = [
  [/\.svg$/, 'logo.svg'],
  [/^apple-touch-icon.*\.png$/, 'apple-touch-icon.png'],
  [/^(?:android-chrome-512|mstile-310).*\.png$/, 'icon-512.png'],
  [/\.(?:png|ico)$/, 'icon-192.png'],
]

/** The web app manifest of installed apps. */
const MANIFEST = '/static/manifest.json'

/** @returns the current address for one of File Browser's; other addresses unchanged */
export function currentAddressOf(urlPath: string): string {
  if (urlPath === MANIFEST) return APP_MANIFEST
  if (!urlPath.startsWith(ICONS)) return urlPath
  const name = urlPath.slice(ICONS.length)
  const picture = CURRENT_ICONS.find(([old]) => !name.includes('/') && old.test(name))?.[1]
  return picture === undefined ? urlPath : PICTURES + picture
}
