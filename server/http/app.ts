/**
 * The steps of every request: the Host header is checked, the client's address is determined, the request is counted
 * by the concurrency limits, and the handler of its route responds. A path without a route gets the interface. Then
 * the security headers are set, and the audit record, the metrics and the log are written.
 */
import { type Context, Hono } from 'hono'
import { METHOD_NAME_ALL } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import type { App } from '#server/app.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { AccessMonitor } from './context/access-monitor.ts'
import {
  type AnyCall,
  type Env,
  type HttpConnection,
  hasSession,
  type Route,
} from './context/context.ts'
import { asFault, faultResponse, statusOf } from './context/faults.ts'
import { createLimits } from './context/limits.ts'
import { Proxies } from './context/peer.ts'
import { knownUrlOf } from './context/request-url.ts'
import { countRequests } from './lifetime/in-flight.ts'
import type { Logger } from './observation/log.ts'
import { Metrics } from './observation/metrics.ts'
import { AcceptPace } from './request/accept-pace.ts'
import { recordCallAudit } from './request/audit.ts'
import { requireAuth, setAuthHeaders } from './request/auth.ts'
import { avoidVariableCopies } from './request/call-variables.ts'
import { requireConfirmation } from './request/confirmation.ts'
import { servedHosts } from './request/hosts.ts'
import { rejectEarly } from './request/request-checks.ts'
import { setTusVersion } from './request/tus-headers.ts'
import { dropUnreadBody } from './request/unread-body.ts'
import { isolateContentOrigin, originOf, setFrameAncestors } from './response/content-origin.ts'
import { withoutBody } from './response/head.ts'
import { setSecurityHeaders } from './response/headers.ts'
import { accessRoutes } from './routes/access.ts'
import { appPasswordRoutes } from './routes/app-passwords.ts'
import { appearanceRoutes } from './routes/appearance.ts'
import { archiveContentRoutes } from './routes/archive-contents.ts'
import { auditRoutes } from './routes/audit.ts'
import { batchRoutes } from './routes/batch.ts'
import { commandRoutes } from './routes/command.ts'
import { directoryRoutes } from './routes/directories.ts'
import { docsRoutes } from './routes/docs.ts'
import { eventRoutes } from './routes/events.ts'
import { favouriteRoutes } from './routes/favourites.ts'
import { findRoutes } from './routes/find.ts'
import { firstStepsRoutes } from './routes/first-steps.ts'
import { healthRoutes } from './routes/health.ts'
import { identityRoutes } from './routes/identity.ts'
import { identityProviderRoutes } from './routes/identity-providers.ts'
import { invitationRoutes } from './routes/invitations.ts'
import { jobRoutes } from './routes/jobs.ts'
import { journalRoutes } from './routes/journal.ts'
import { mediaRoutes } from './routes/media.ts'
import { passkeySignInRoutes } from './routes/passkey-sign-in.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { pictureEditRoutes } from './routes/picture-edits.ts'
import { previewRoutes } from './routes/preview.ts'
import { publicRoutes } from './routes/public.ts'
import { rawRoutes } from './routes/raw.ts'
import { resourceRoutes } from './routes/resources.ts'
import { searchRoutes } from './routes/search.ts'
import { secondFactorRoutes } from './routes/second-factor.ts'
import { sessionRoutes } from './routes/session.ts'
import { sessionsRoutes } from './routes/sessions.ts'
import { settingsRoutes } from './routes/settings.ts'
import { shareRoutes } from './routes/share.ts'
import { spaceRoutes } from './routes/space.ts'
import { subtitleRoutes } from './routes/subtitle.ts'
import { trashRoutes } from './routes/trash.ts'
import { tusRoutes } from './routes/tus.ts'
import { serveInterface } from './routes/ui.ts'
import { uploadRoutes } from './routes/uploads.ts'
import { usageRoutes } from './routes/usage.ts'
import { userRoutes } from './routes/users.ts'
import { versionRoutes } from './routes/versions.ts'

/** The routes that the OpenAPI description contains. */
const DESCRIBED: readonly Route[] = [
  ...sessionRoutes,
  ...sessionsRoutes,
  ...appPasswordRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
  ...passkeySignInRoutes,
  ...identityRoutes,
  ...directoryRoutes,
  ...identityProviderRoutes,
  ...resourceRoutes,
  ...rawRoutes,
  ...archiveContentRoutes,
  ...uploadRoutes,
  ...usageRoutes,
  ...tusRoutes,
  ...batchRoutes,
  ...userRoutes,
  ...invitationRoutes,
  ...firstStepsRoutes,
  ...settingsRoutes,
  ...auditRoutes,
  ...journalRoutes,
  ...trashRoutes,
  ...versionRoutes,
  ...jobRoutes,
  ...previewRoutes,
  ...mediaRoutes,
  ...pictureEditRoutes,
  ...accessRoutes,
  ...subtitleRoutes,
  ...searchRoutes,
  ...findRoutes,
  ...appearanceRoutes,
  ...favouriteRoutes,
  ...eventRoutes,
  ...shareRoutes,
  ...spaceRoutes,
  ...publicRoutes,
  ...commandRoutes,
  ...healthRoutes,
]

export const ROUTES: readonly Route[] = [...DESCRIBED, ...docsRoutes(DESCRIBED)]

/** The HTTP side of an app. It serves each path with and without the base URL. */
export interface Http {
  fetch(request: Request, connection: HttpConnection): Promise<Response>
}

/** @throws Fault badRequest for invalid options */
export function createHttp(app: App, logger: Logger, metrics = new Metrics()): Http {
  const contentOrigin = originOf(app.config.text('bytesOrigin'))
  const isServed = servedHosts({
    allowedHosts: app.config.args('allowedHosts'),
    hasSignIn: app.signIn.settings.method !== 'noauth',
    contentOrigin,
  })
  const http = routesOf(app, logger, metrics, contentOrigin)
  const pace = new AcceptPace()
  return {
    async fetch(request, connection) {
      const turn = pace.waitForTurn()
      if (turn) await turn
      const refusal = rejectEarly(request, connection, isServed)
      if (!refusal) return http.fetch(request, connection)
      if (connection.peer) {
        // The query may contain a token, so it is not logged. The URL is split as text, since it may be invalid.
        const [url = ''] = request.url.split('?', 1)
        logger.refused(url, statusOf(refusal.code), connection.peer, refusal)
      }
      await dropUnreadBody(request)
      const response = faultResponse(refusal)
      setSecurityHeaders(response.headers)
      return response
    },
  }
}

function routesOf(app: App, logger: Logger, metrics: Metrics, contentOrigin: string): Hono<Env> {
  const proxies = new Proxies(app.config.args('trustedProxies'))
  const limits = createLimits()
  const accessMonitor = new AccessMonitor()
  const http = new Hono<Env>({
    getPath: (request) => pathOf(request, app.baseURL),
    // One regular expression matches all routes. It refuses, at the start, a parameter beside a fixed word: the standard
    // router of Hono would then search a tree for each request, which takes five times as long.
    router: new RegExpRouter(),
  })

  http.use(async (call, next) => {
    avoidVariableCopies(call)
    call.set('app', app)
    call.set('logger', logger)
    call.set('metrics', metrics)
    call.set('limits', limits)
    call.set('accessMonitor', accessMonitor)
    const startedMs = performance.now()
    call.set('contentOrigin', contentOrigin)
    // Made by `getPath`.
    call.set('path', call.req.path)
    const client = proxies.clientOf(call.req.raw, call.env.peer ?? '')
    call.set('client', client)
    call.set('address', client.address)
    await app.settings.refresh()
    await next()
    if (call.res.status >= 400) await dropUnreadBody(call.req.raw)
    if (!call.var.isStreamed) call.var.requestPermit?.[Symbol.dispose]()
    setAuthHeaders(call)
    setFrameAncestors(call)
    setSecurityHeaders(call.res.headers)
    setTusVersion(call)
    await recordCallAudit(call)
    const { method } = call.req
    const labels = { method, route: routeOf(call), status: call.res.status }
    metrics.recordResponse(labels, (performance.now() - startedMs) / 1000)
    if (call.req.method === 'HEAD')
      call.res = await withoutBody(call.res, call.var.isStreamed === true)
    if (call.res.status < 400) return
    const fault = call.error ? asFault(call.error) : undefined
    if (isFault(fault, 'aborted')) logBrokenUpload(call)
    else logger.refused(call.var.path, call.res.status, call.var.address, fault)
  })
  http.use(countRequests())
  if (contentOrigin !== '') http.use(isolateContentOrigin(contentOrigin))
  http.onError((error, call) => faultResponse(asFault(error), call.req.raw))

  for (const route of ROUTES) {
    http.on(
      route.anyMethod ? METHOD_NAME_ALL : route.method,
      variantsOf(route.path),
      async (call) => {
        call.set('route', route)
        trackRequest(call, metrics.startRequest(route.path))
        if (route.needs !== 'anyone') await requireAuth(call, route)
        if (route.slow) disableIdleTimeout(call)
        return handleRoute(route, call)
      },
    )
  }
  http.all('*', (call) => serveInterface(call))
  return http
}

/**
 * @throws as `requireConfirmation`. Fault unauthenticated; never in practice, because `requireAuth` has checked it
 */
async function handleRoute(route: Route, call: Context<Env>): Promise<Response> {
  if (route.needs === 'anyone') return route.handle(call)
  if (!hasSession(call)) throw new Fault('unauthenticated', 'Sign in first.')
  if (route.recent === 'always') await requireConfirmation(call, route)
  return route.handle(call)
}

/** Logs the end of an upload whose connection was lost. Other requests that end early change nothing. */
function logBrokenUpload({ req, var: { logger, path, auth, upload } }: AnyCall): void {
  if (!upload) return
  const { bytes, announcedBytes } = upload
  const total = announcedBytes === undefined ? '' : ` of ${announcedBytes}`
  const amount =
    bytes === undefined ? `before all${total} bytes arrived` : `after ${bytes}${total} bytes`
  const user = auth?.user.username ?? 'a visitor'
  logger.logLine(path, `${req.method} by ${user}: the connection ended ${amount}.`)
}

/** @returns the path of the matching route; every other path belongs to the interface */
function routeOf(call: AnyCall): string {
  return call.var.route?.path ?? '/'
}

/** @param end called when the last byte of the response is sent */
function trackRequest(call: AnyCall, end: () => void): void {
  const { requestPermit } = call.var
  let hasEnded = false
  call.set('requestPermit', {
    [Symbol.dispose]() {
      if (!hasEnded) end()
      hasEnded = true
      requestPermit[Symbol.dispose]()
    },
  })
}

/** Disables the idle timeout of the connection while the request is in flight. */
function disableIdleTimeout(call: AnyCall): void {
  const {
    env,
    var: { requestPermit },
  } = call
  env.timeout(call.req.raw, 0)
  call.set('hasNoIdleTimeout', true)
  call.set('requestPermit', {
    [Symbol.dispose]() {
      // The connection stays open for further requests, so the timeout applies again.
      env.timeout(call.req.raw, env.idleSec)
      requestPermit[Symbol.dispose]()
    },
  })
}

/** `/api/raw` is the same path as `/api/raw/`. */
function variantsOf(path: string): string[] {
  return path.endsWith('/*') ? [path.slice(0, -2), path] : [path]
}

/**
 * The request's path without the base URL, with repeated slashes joined, still percent-encoded. Routes are matched on
 * it and handlers read it. A request without the base URL is served too.
 */
function pathOf(request: Request, baseURL: string): string {
  const pathname = knownUrlOf(request).pathname.replace(/\/{2,}/g, '/')
  const inBase = pathname === baseURL || pathname.startsWith(`${baseURL}/`)
  return withSlashes((inBase ? pathname.slice(baseURL.length) : pathname) || '/')
}

/**
 * Decodes the slashes of an API path. Old clients of File Browser, which matches decoded paths, append a path that is
 * encoded as a whole: `/api/share%2Fdocs%2Fa.txt`.
 */
function withSlashes(path: string): string {
  if (!path.includes('%2') || !path.startsWith('/api/')) return path
  return path.replace(/%2f/gi, '/').replace(/\/{2,}/g, '/')
}
