/**
 * A second origin for people's bytes, where the operator has one (`--bytes-origin`): what a browser
 * shows is a stranger to the interface then, by the browser's own rules.
 *
 * The interface asks for a file where it always did, and is sent on with a pass: good for one path
 * and query, for as long as the session that asked. The second origin knows nothing but passes.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { Fault } from '#wire/fault.ts'
import type { AnyCall, Env } from './context.ts'

const SIGNED_URL_PARAM = 'pass'
/** What a browser says it wants a file for, when it is going to show it (Fetch: `Sec-Fetch-Dest`). */
const SHOWN = ['image', 'video', 'audio', 'iframe', 'document', 'embed', 'object']

/** @returns the origin as browsers spell it; empty for none. @throws Fault badRequest */
export function originOf(text: string): string {
  if (text === '') return ''
  const url = URL.parse(text)
  const isOrigin = url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
  if (isOrigin) return url.origin
  throw new Fault(
    'badRequest',
    `bytesOrigin must be an address such as https://files.example.org, not "${text}".`,
  )
}

/**
 * Lets the second origin serve what a pass is for, and nothing else.
 *
 * @param origin where there is one
 * @throws Fault notFound
 */
export function isolateContentOrigin(origin: string): MiddlewareHandler<Env> {
  return async (call, next) => {
    const sent = call.req.query(SIGNED_URL_PARAM)
    const isThere = call.req.header('host')?.toLowerCase() === hostOf(origin)
    if (!isThere) {
      // Whoever is sent on and arrives here again would go round in circles.
      if (sent !== undefined) throw new Fault('badRequest', hostIsLost(origin))
      return next()
    }
    const signedUrl = await call.var.app.sessions.readSignedUrl(sent ?? '')
    const reads = call.req.method === 'GET' || call.req.method === 'HEAD'
    const isMeant = signedUrl?.path === call.var.path && signedUrl.query === String(queryOf(call))
    if (!reads || !isMeant) throw new Fault('notFound', '404 Not Found')
    call.set('signedUrl', signedUrl)
    await next()
  }
}

/** Lets the interface show what its pass was for. */
export function setFrameAncestors({ var: { signedUrl }, res: { headers } }: Context<Env>): void {
  if (!signedUrl) return
  const policy = headers.get('Content-Security-Policy') ?? ''
  const framed = policy.replace("frame-ancestors 'self'", `frame-ancestors ${signedUrl.from}`)
  headers.set('Content-Security-Policy', framed)
  headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
}

/** The way to the second origin, for what is going to be shown; undefined where it is answered here. */
export async function redirectToContentOrigin(call: AnyCall): Promise<Response | undefined> {
  const { app, contentOrigin: bytesOrigin, signedUrl, path, auth, caller } = call.var
  const wanted = call.req.header('sec-fetch-dest') ?? ''
  const isShown = call.req.query('inline') === 'true' && SHOWN.includes(wanted)
  if (bytesOrigin === '' || signedUrl || !isShown) return undefined
  const from = `${caller.secure ? 'https' : 'http'}://${call.req.header('host')}`
  const query = queryOf(call)
  const session = auth?.session.id ?? ''
  query.set(
    SIGNED_URL_PARAM,
    await app.sessions.issueSignedUrl({ session, path, query: String(query), from }),
  )
  return call.redirect(`${bytesOrigin}${app.baseURL}${path}?${query}`)
}

/** What a pass is for beside the path: all of the query but the pass. */
function queryOf(call: AnyCall): URLSearchParams {
  const query = new URL(call.req.url).searchParams
  query.delete(SIGNED_URL_PARAM)
  return query
}

function hostOf(origin: string): string {
  return new URL(origin).host
}

function hostIsLost(origin: string): string {
  return `This address belongs to ${origin}. The proxy in front must pass the header Host on.`
}
