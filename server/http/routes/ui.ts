/** Everything that is no API call: an asset of the interface, or its page. */
import { randomBytes } from 'node:crypto'
import { assetResponse } from '#server/web/assets.ts'
import { page } from '#server/web/page.ts'
import { Fault } from '#wire/fault.ts'
import type { Call } from '../context.ts'
import { PERMISSIONS_POLICY, pagePolicy } from '../headers.ts'

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
  const asset = assetResponse(call.req.raw, path)
  if (asset) return asset
  if (path.startsWith(STATIC)) throw new Fault('notFound', '404 Not Found')
  const nonce = randomBytes(16).toString('base64')
  return call.html(await page(call.var.app.publicSettings(), nonce), 200, {
    'Cache-Control': 'no-cache, no-store, must-revalidate',
    'Content-Security-Policy': pagePolicy(nonce),
    'Permissions-Policy': PERMISSIONS_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex, nofollow',
  })
}
