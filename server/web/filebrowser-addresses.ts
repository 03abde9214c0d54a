/** Addresses of File Browser's interface that bookmarks, home screens and other pages still ask for. */

const ICONS = '/static/img/icons/'
const PICTURES = '/static/img/'

/** Its icons by the pictures that stand for them now. Any other ending is no icon. */
const NOW: [old: RegExp, now: string][] = [
  [/\.svg$/, 'logo.svg'],
  [/^apple-touch-icon.*\.png$/, 'apple-touch-icon.png'],
  [/^(?:android-chrome-512|mstile-310).*\.png$/, 'icon-512.png'],
  [/\.(?:png|ico)$/, 'icon-192.png'],
]

/** Where a picture lies whose address is one of File Browser's; other addresses as they are. */
export function presentAddress(urlPath: string): string {
  if (!urlPath.startsWith(ICONS)) return urlPath
  const name = urlPath.slice(ICONS.length)
  const picture = NOW.find(([old]) => !name.includes('/') && old.test(name))?.[1]
  return picture === undefined ? urlPath : PICTURES + picture
}
