/** What makes an app of the page on phones and desktops: the web app manifest, from branding. */
import type { PublicSettings } from '#wire/settings.ts'
import { backgroundOf } from './window-color.ts'

/** Its address below the base path. */
export const APP_MANIFEST = '/manifest.webmanifest'

/** Where other apps send files to: a POST that the service worker takes. */
const SHARE_TARGET = '/share-target'

const PICTURES = [
  { path: '/img/icon-192.png', sizes: '192x192', purpose: 'any' },
  { path: '/img/icon-512.png', sizes: '512x512', purpose: 'any' },
  { path: '/img/icon-maskable-512.png', sizes: '512x512', purpose: 'maskable' },
] as const

/**
 * The manifest of this instance (W3C Web Application Manifest).
 *
 * @param isOwn whether the operator brings the picture at this address below the base path. Who
 *   brings a logo of their own has the icons that belong to it, and none of the product's.
 */
export function appManifest(
  { Name, BaseURL, StaticURL, Color, Theme }: PublicSettings,
  isOwn: (urlPath: string) => boolean,
) {
  const start = `${BaseURL}/`
  const hasLogo = isOwn('/static/img/logo.svg')
  const logo = { src: `${StaticURL}/img/logo.svg`, sizes: 'any', type: 'image/svg+xml' }
  const pictures = PICTURES.filter(({ path }) => !hasLogo || isOwn(`/static${path}`))
  const background = backgroundOf({ Theme })
  return {
    id: start,
    name: Name,
    short_name: Name,
    start_url: start,
    scope: start,
    display: 'standalone',
    background_color: background,
    theme_color: Color || background,
    icons: [
      ...pictures.map(({ path, sizes, purpose }) => ({
        src: StaticURL + path,
        sizes,
        type: 'image/png',
        purpose,
      })),
      logo,
    ],
    share_target: {
      action: BaseURL + SHARE_TARGET,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: 'files', accept: ['*/*'] }] },
    },
  }
}
