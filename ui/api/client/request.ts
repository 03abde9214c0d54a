/** The HTTP client of the interface. */

import { withBase } from '#ui/lib/page/location.ts'
import { JOURNAL_HEADER, RENEW_HEADER, TOKEN_HEADER } from '#wire/api/session.ts'
import { Fault } from '#wire/fault.ts'
import { faultOf, noConnection } from './fault-of.ts'
import { currentToken } from './token.ts'

export interface RequestOptions {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: BodyInit
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** The request has no token, and a 401 does not end the session: for sign-in, invitations, health and public shares. */
  anonymous?: boolean
  /** A 401 is thrown at once, without the sign-in dialog. */
  withoutSignIn?: boolean
  /** The request continues if the page is left or reloaded. Browsers allow 64 KiB for all such requests together. */
  keepalive?: boolean
  /** Receives the number of the journal entry, which is then not passed to the listeners. */
  onJournalEntry?: ((number: number) => void) | undefined
}

/** Callbacks for the rest of the interface. Options of a request switch single ones off. */
interface Listeners {
  /** The session is no longer valid. Resolves to true if the user has signed in again. */
  onSessionLost(): Promise<boolean>
  /** The server requests a renewal of the token. */
  onRenewalWanted(): void
  onResponse(): void
  /** A request that may change something succeeded. */
  onChanged(): void
  /** The server recorded a change in its journal. */
  onJournalEntry(number: number): void
  onUnreachable(): void
  /** The user must set up a second factor before anything else. */
  onFactorDue(): void
}

const listeners: Listeners = {
  onSessionLost: async () => false,
  onRenewalWanted() {},
  onResponse() {},
  onChanged() {},
  onJournalEntry() {},
  onUnreachable() {},
  onFactorDue() {},
}

export function listenToRequests(changes: Partial<Listeners>): void {
  Object.assign(listeners, changes)
}

/**
 * Sends a request; `url` is a URL of `#wire/routes.ts`. If the session has expired and the user signs in again, the
 * request is sent once more.
 *
 * @throws Fault with the server's code and message; aborted (by the signal); unavailable with the reason `noConnection`
 *   (there was no response)
 */
export async function request(url: string, options: RequestOptions = {}): Promise<Response> {
  const token = options.anonymous ? null : currentToken()
  let response = await send(url, options, token)
  if (
    response.status === 401 &&
    !options.anonymous &&
    !options.withoutSignIn &&
    (await hasNewSession(token))
  ) {
    response = await send(url, options, currentToken())
  }
  if (response.headers.get(RENEW_HEADER) === 'true' && !options.anonymous)
    listeners.onRenewalWanted()
  const number = response.headers.get(JOURNAL_HEADER)
  if (number !== null) (options.onJournalEntry ?? listeners.onJournalEntry)(Number(number))
  if (response.ok && mayChange(options.method)) listeners.onChanged()
  // 304 is only possible for a request with an entity tag.
  if (response.ok || response.status === 304) return response
  const fault = await faultOfResponse(response)
  if (fault.reason === 'factorDue') listeners.onFactorDue()
  throw fault
}

/**
 * Like `request`, and parses the JSON response as a type of `#wire`.
 *
 * @throws as `request`; errors of `fetch` while the body is read; SyntaxError (the body is not JSON)
 */
export async function requestJson<Shape>(
  url: string,
  options: RequestOptions = {},
): Promise<Shape> {
  const response = await request(url, options)
  // The server responds with the types of `#wire`; both sides compile against them.
  return (await response.json()) as Shape
}

function mayChange(method: RequestOptions['method'] = 'GET'): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/** Whether the failure means that there was no response. */
export function isNoConnection(error: unknown): boolean {
  return error instanceof Fault && error.reason === 'noConnection'
}

/**
 * Whether the request can be sent again. Another request may already have renewed the session; otherwise the user is
 * asked to sign in.
 *
 * @param refused the session token that the server refused; null if the request had none
 */
async function hasNewSession(refused: string | null): Promise<boolean> {
  const token = currentToken()
  return (token !== null && token !== refused) || listeners.onSessionLost()
}

async function send(url: string, options: RequestOptions, token: string | null): Promise<Response> {
  const headers = { ...options.headers, ...(token && { [TOKEN_HEADER]: token }) }
  const { method = 'GET', body = null, signal = null, keepalive = false } = options
  try {
    const response = await fetch(withBase(url), { method, headers, body, signal, keepalive })
    listeners.onResponse()
    return response
  } catch (cause) {
    if (signal?.aborted) throw new Fault('aborted', 'The request was aborted.', { cause })
    listeners.onUnreachable()
    throw noConnection(cause)
  }
}

async function faultOfResponse(response: Response): Promise<Fault> {
  const body = await response.text().catch(() => '')
  const { status, headers } = response
  return faultOf({ status, header: (name) => headers.get(name), body })
}
