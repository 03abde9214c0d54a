/** The one fetch of the interface. */

import { withBase } from '#ui/lib/location.ts'
import { Fault } from '#wire/fault.ts'
import { JOURNAL_HEADER } from '#wire/journal.ts'
import { RENEW_HEADER, TOKEN_HEADER } from '#wire/session.ts'
import { faultOf } from './fault-of.ts'
import { currentToken } from './token.ts'

/** What a failed connection is called (docs/specification.md 8). */
export const NO_CONNECTION = '000 No connection'

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: BodyInit
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Sent without the token, and its 401 ends no session: sign-in, health. */
  anonymous?: boolean
  /** Its 401 is thrown at once: nobody is asked to sign in again for its sake. */
  quiet?: boolean
  /** Goes on when the page is left or loaded anew. For small bodies (Fetch: 64 KiB of all). */
  keepalive?: boolean
  /** Hears of the journal's entry in place of those who listen to all. */
  onEntry?: ((entry: number) => void) | undefined
}

/** What the rest of the interface wants to hear of every call. */
interface Listeners {
  /** The server no longer knows the session. True when somebody has signed in again. */
  sessionLost(): Promise<boolean>
  /** The server asks for a new token. */
  renewalWanted(): void
  answered(): void
  /** The server wrote a change into its journal. */
  journalled(entry: number): void
  unreachable(): void
}

const listeners: Listeners = {
  sessionLost: async () => false,
  renewalWanted() {},
  answered() {},
  journalled() {},
  unreachable() {},
}

export function listenToRequests(wanted: Partial<Listeners>): void {
  Object.assign(listeners, wanted)
}

/**
 * Calls the server; `url` is an address of `#wire/routes.ts`. When the session is over, the person is
 * asked for the password in place, and the call is sent once more.
 *
 * @throws Fault with the server's code and words; aborted when the signal fired; unavailable with
 * the message of `NO_CONNECTION` when nothing answered.
 */
export async function request(url: string, call: Call = {}): Promise<Response> {
  const token = call.anonymous ? null : currentToken()
  let response = await send(url, call, token)
  if (response.status === 401 && !call.anonymous && !call.quiet && (await isBack(token))) {
    response = await send(url, call, currentToken())
  }
  if (response.headers.get(RENEW_HEADER) === 'true' && !call.anonymous) listeners.renewalWanted()
  const entry = response.headers.get(JOURNAL_HEADER)
  if (entry !== null) (call.onEntry ?? listeners.journalled)(Number(entry))
  // Only who names a tag is told that nothing has changed.
  if (response.ok || response.status === 304) return response
  throw await toFault(response)
}

/** The same, and reads the answer as JSON of a shape that `#wire` promises. */
export async function requestJson<Shape>(url: string, call: Call = {}): Promise<Shape> {
  const response = await request(url, call)
  // The server answers with the shapes of `#wire`; both sides compile against them.
  return (await response.json()) as Shape
}

/** Whether a failure means that nothing answered at all. */
export function isNoConnection(error: unknown): boolean {
  return error instanceof Fault && error.message === NO_CONNECTION
}

/** Whether there is a session again after `refused` was refused: another call may have seen to it. */
async function isBack(refused: string | null): Promise<boolean> {
  const token = currentToken()
  return (token !== null && token !== refused) || listeners.sessionLost()
}

async function send(url: string, call: Call, token: string | null): Promise<Response> {
  const headers = { ...call.headers, ...(token && { [TOKEN_HEADER]: token }) }
  const { method = 'GET', body = null, signal = null, keepalive = false } = call
  try {
    const response = await fetch(withBase(url), { method, headers, body, signal, keepalive })
    listeners.answered()
    return response
  } catch (cause) {
    if (signal?.aborted) throw new Fault('aborted', NO_CONNECTION, { cause })
    listeners.unreachable()
    throw new Fault('unavailable', NO_CONNECTION, { cause })
  }
}

async function toFault(response: Response): Promise<Fault> {
  const body = await response.text().catch(() => '')
  const { status, statusText, headers } = response
  return faultOf({ status, statusText, header: (name) => headers.get(name), body })
}
