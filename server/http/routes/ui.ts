/** Serves the assets and the page of the interface for all paths outside the API. */
import { randomBytes } from 'node:crypto'
import { passkeyPage } from '#server/accounts/passkeys/passkey-site.ts'
import { APP_MANIFEST, appManifest } from '#server/web/app-manifest.ts'
import { assetResponse } from '#server/web/assets.ts'
import { brandingFile, hasCustomCss, hasLogo } from '#server/web/branding.ts'
import { currentAddressOf } from '#server/web/filebrowser-addresses.ts'
import { renderPage } from '#server/web/page.ts'
import type { PublicSettings } from '#wire/api/settings.ts'
import { Fault } from '#wire/fault.ts'
import { pagePicture } from '../content/page-picture.ts'
import type { AnyCall } from '../context/context.ts'
import {
  BRANDING_POLICY,
  PDF_WORKER_POLICY,
  PERMISSIONS_POLICY,
  pagePolicy,
  WORKER_POLICY,
} from '../response/headers.ts'

const STATIC = '/static/'
const SERVICE_WORKER = '/sw.js'
/** The worker of pdf.js, in the build's name for it. */
const PDF_WORKER = /^\/static\/pdf\.worker[^/]*\.mjs$/

/**
 * Unknown paths below `/api` and `/static` are 404 and never the page (docs/decisions.md 3).
 *
 * @throws Fault notFound, also for another method than GET and HEAD
 */
export async function serveInterface(call: AnyCall): Promise<Response> {
  const { path } = call.var
  const isApi = /^\/api(\/|$)/i.test(path)
  const isRead = call.req.method === 'GET' || call.req.method === 'HEAD'
  if (isApi || !isRead) throw new Fault('notFound', '404 Not Found')
  const { branding } = call.var.app.settings.get()
  const address = currentAddressOf(path)
  const customFile = brandingFile(branding.files, path) ?? brandingFile(branding.files, address)
  if (customFile) return brandingResponse(call, customFile)
  const asset = assetResponse(call.req.raw, address)
  if (path === SERVICE_WORKER) asset?.headers.set('Content-Security-Policy', WORKER_POLICY)
  if (PDF_WORKER.test(path)) asset?.headers.set('Content-Security-Policy', PDF_WORKER_POLICY)
  if (asset) return asset
  if (address.startsWith(STATIC)) throw new Fault('notFound', '404 Not Found')
  const settings: PublicSettings = {
    ...call.var.app.publicSettings(),
    PasskeyOrigin: await passkeyOrigin(call),
    SecondFactorDue: isFactorRequired(call),
    CSS: hasCustomCss(branding.files),
    Logo: hasLogo(branding.files),
  }
  if (address === APP_MANIFEST) return manifestOf(call, settings, branding.files)
  const nonce = randomBytes(16).toString('base64')
  return call.html(await renderPage(settings, nonce, await pagePicture(call)), 200, {
    'Cache-Control': 'no-cache, no-store, must-revalidate',
    'Content-Security-Policy': pagePolicy(nonce, settings.ReCaptchaHost, call.var.contentOrigin),
    'Permissions-Policy': PERMISSIONS_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex, nofollow',
  })
}

/** Where users log in with passkeys; empty if none has one there. */
async function passkeyOrigin({ var: { app } }: AnyCall): Promise<string> {
  const page = passkeyPage(app.settings.get().publicAddress)
  return page && app.signIn.hasSecondFactors && (await app.passkeys.hasAny(page.rpId))
    ? page.origin
    : ''
}

/** Whether some users must have a second factor, now or later. */
function isFactorRequired({ var: { app } }: AnyCall): boolean {
  return app.signIn.hasSecondFactors && app.settings.get().secondFactorFor !== 'none'
}

/** The web app manifest with the names and colours of this instance. */
function manifestOf(call: AnyCall, settings: PublicSettings, files: string): Response {
  const manifest = appManifest(settings, (path) => brandingFile(files, path) !== undefined)
  return call.body(JSON.stringify(manifest), 200, {
    'Content-Type': 'application/manifest+json',
    'Cache-Control': 'no-cache',
  })
}

/** Browsers ask at each use whether it has changed, so that changes of the branding appear at once. */
function brandingResponse(call: AnyCall, file: Bun.BunFile): Response {
  const modified = new Date(file.lastModified).toUTCString()
  const headers = {
    'Content-Type': file.type,
    'Last-Modified': modified,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': BRANDING_POLICY,
  }
  const isUnchanged = call.req.header('if-modified-since') === modified
  return isUnchanged
    ? new Response(null, { status: 304, headers })
    : new Response(file, { headers })
}
