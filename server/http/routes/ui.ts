/** Everything that is no API call: an asset of the interface, or its page. */
import { randomBytes } from 'node:crypto'
import { assetResponse } from '#server/web/assets.ts'
import { brandingFile, hasCustomCss } from '#server/web/branding.ts'
import { page } from '#server/web/page.ts'
import { Fault } from '#wire/fault.ts'
import type { Call } from '../context.ts'
import { BRANDING_POLICY, PERMISSIONS_POLICY, pagePolicy } from '../headers.ts'

const STATIC = '/static/'

/**
 * Addresses below `/api` and `/static` that nobody serves are 404 and never the page (decisions 3).
 *
 * @throws Fault notFound, methodNotAllowed
 */
export async function showInterface(call: Call): Promise<Response> {
  const { path } = call.var
  const isApi = /^\/api(\/|$)/i.test(path)
  const reads = call.req.method === 'GET' || call.req.method === 'HEAD'
  if (isApi || !reads) throw new Fault('notFound', '404 Not Found')
  const { branding } = call.var.app.settings.get()
  const own = brandingFile(branding.files, path)
  if (own) return ownFile(call, own)
  const asset = assetResponse(call.req.raw, path)
  if (asset) return asset
  if (path.startsWith(STATIC)) throw new Fault('notFound', '404 Not Found')
  const nonce = randomBytes(16).toString('base64')
  const settings = { ...call.var.app.publicSettings(), CSS: hasCustomCss(branding.files) }
  return call.html(await page(settings, nonce), 200, {
    'Cache-Control': 'no-cache, no-store, must-revalidate',
    'Content-Security-Policy': pagePolicy(nonce, settings.ReCaptchaHost),
    'Permissions-Policy': PERMISSIONS_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex, nofollow',
  })
}

/** Asked for anew each time, so that a changed look shows at once. */
function ownFile(call: Call, file: Bun.BunFile): Response {
  const modified = new Date(file.lastModified).toUTCString()
  const headers = {
    'Content-Type': file.type,
    'Last-Modified': modified,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': BRANDING_POLICY,
  }
  const known = call.req.header('if-modified-since') === modified
  return known ? new Response(null, { status: 304, headers }) : new Response(file, { headers })
}
