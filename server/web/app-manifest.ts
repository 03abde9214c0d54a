/**
 * The web app manifest: with it, a browser can install the interface as an app. It has the name, the colours and the
 * pictures of the branding.
 */
import type { PublicSettings } from '#wire/api/settings.ts'
import { backgroundOf } from './window-color.ts'

/** The path of the manifest below the base URL. */
export const APP_MANIFEST = '/manifest.webmanifest'

/**
 * The path below the base URL to which a browser sends files that another app shares with the installed one. The service
 * worker handles this POST request.
 */
const SHARE_TARGET = '/share-target'

const PICTURES = [
  { path: '/img/icon-192.png', sizes: '192x192', purpose: 'any' },
  { path: '/img/icon-512.png', sizes: '512x512', purpose: 'any' },
  { path: '/img/icon-maskable-512.png', sizes: '512x512', purpose: 'maskable' },
] as const

/**
 * The manifest of this instance (W3C Web Application Manifest).
 *
 * @param isCustom whether the branding replaces the built-in picture at a path. If it replaces the logo, the manifest has
 *   none of the built-in icons.
 */
export function appManifest(
  { Name, BaseURL, StaticURL, Color, Theme }: PublicSettings,
  isCustom: (urlPath: string) => boolean,
) {
  const start = `${BaseURL}/`
  const hasLogo = isCustom('/static/img/logo.svg')
  const logo = { src: `${StaticURL}/img/logo.svg`, sizes: 'any', type: 'image/svg+xml' }
  const pictures = PICTURES.filter(({ path }) => !hasLogo || isCustom(`/static${path}`))
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
