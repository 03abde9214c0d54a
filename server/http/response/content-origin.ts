/**
 * The content origin (`--bytes-origin`): a second origin for the files of users, so that the browser isolates them
 * from the interface.
 *
 * A request for a file is redirected there with a signed URL, which is valid for one path and query until the session
 * ends. The content origin accepts only signed URLs.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { Fault } from '#wire/fault.ts'
import type { AnyCall, Env } from '../context/context.ts'

const SIGNED_URL_PARAM = 'pass'
/** Values of `Sec-Fetch-Dest` for which a browser displays the file. */
const SHOWN = ['image', 'video', 'audio', 'iframe', 'document', 'embed', 'object']

/**
 * @returns the origin as browsers write it; empty if there is none
 * @throws Fault badRequest (not an HTTP origin)
 */
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
 * Restricts the content origin to signed URLs.
 *
 * @param origin the content origin
 * @throws Fault notFound (on the content origin, without a signed URL for this path and query, or with another method
 *   than GET and HEAD), badRequest (a signed URL on the main origin)
 */
export function isolateContentOrigin(origin: string): MiddlewareHandler<Env> {
  return async (call, next) => {
    const sent = call.req.query(SIGNED_URL_PARAM)
    const isContentOrigin = call.req.header('host')?.toLowerCase() === hostOf(origin)
    if (!isContentOrigin) {
      // The redirected request arrived at the main origin again; another redirect would loop.
      if (sent !== undefined) throw new Fault('badRequest', wrongHostMessage(origin))
      return next()
    }
    const signedUrl = await call.var.app.sessions.readSignedUrl(sent ?? '')
    const isRead = call.req.method === 'GET' || call.req.method === 'HEAD'
    const matches = signedUrl?.path === call.var.path && signedUrl.query === String(queryOf(call))
    if (!isRead || !matches) throw new Fault('notFound', '404 Not Found')
    call.set('signedUrl', signedUrl)
    await next()
  }
}

/** Allows the interface to frame a file of a signed URL. */
export function setFrameAncestors({ var: { signedUrl }, res: { headers } }: Context<Env>): void {
  if (!signedUrl) return
  const policy = headers.get('Content-Security-Policy') ?? ''
  const framed = policy.replace("frame-ancestors 'self'", `frame-ancestors ${signedUrl.from}`)
  headers.set('Content-Security-Policy', framed)
  headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
}

/** Redirects a request for a displayed file to the content origin; undefined if this origin serves it. */
export async function redirectToContentOrigin(call: AnyCall): Promise<Response | undefined> {
  const { app, contentOrigin, signedUrl, path, auth, client } = call.var
  if (contentOrigin === '' || signedUrl || !isDisplayed(call)) return undefined
  // A program that sends an app password shows the file itself; a signed URL names a session.
  if (auth?.appPassword) return undefined
  const from = `${client.isSecure ? 'https' : 'http'}://${call.req.header('host')}`
  const query = queryOf(call)
  const session = auth?.session.id ?? ''
  query.set(
    SIGNED_URL_PARAM,
    await app.sessions.issueSignedUrl({ session, path, query: String(query), from }),
  )
  return call.redirect(`${contentOrigin}${app.baseURL}${path}?${query}`)
}

/**
 * Whether a browser is going to display the file. Browsers send `Sec-Fetch-Dest` only to HTTPS and localhost; without it,
 * `Accept` names the types of pages and pictures that they can display.
 */
function isDisplayed({ req }: AnyCall): boolean {
  if (req.query('inline') !== 'true') return false
  const destination = req.header('sec-fetch-dest')
  if (destination !== undefined) return SHOWN.includes(destination)
  return /text\/html|image\//.test(req.header('accept') ?? '')
}

/** @returns the query that the signature covers */
function queryOf(call: AnyCall): URLSearchParams {
  const query = new URL(call.req.url).searchParams
  query.delete(SIGNED_URL_PARAM)
  return query
}

function hostOf(origin: string): string {
  return new URL(origin).host
}

function wrongHostMessage(origin: string): string {
  return `The request has the wrong host: this address belongs to ${origin}. Configure the proxy to pass on the header Host.`
}
