/** An API client: signs in and sends requests with the token, as a script would. */

import { API } from '#wire/api/routes.ts'
import { FAULT_HEADER, TOKEN_HEADER } from '#wire/api/session.ts'
import { readFaultHeader } from '#wire/fault.ts'
import { mustBeDescribed } from './described.ts'

export interface Client {
  token: string
  /** Sends a request to a path of the server; an object as body is sent as JSON. */
  call(
    method: string,
    address: string,
    body?: BodyInit | object,
    headers?: Record<string, string>,
  ): Promise<Response>
}

/** A client without a token. */
export function anonymous(url: string): Client {
  return clientWith(url, '')
}

/** @throws Error if the server refuses the sign-in */
export async function signIn(url: string, username: string, password: string): Promise<Client> {
  const answer = await anonymous(url).call('POST', API.login, { username, password })
  const token = await answer.text()
  if (!answer.ok) throw new Error(`Signing in as ${username}: ${answer.status} ${token}`)
  return clientWith(url, token)
}

/** Signs in at a server that shares its database: the sign-in is repeated while the other server holds the lock. */
export async function signInWhenFree(
  url: string,
  username: string,
  password: string,
): Promise<Client> {
  for (;;) {
    const answer = await anonymous(url).call('POST', API.login, { username, password })
    const token = await answer.text()
    if (answer.ok) return clientWith(url, token)
    if (answer.status !== 503)
      throw new Error(`Signing in as ${username}: ${answer.status} ${token}`)
    await Bun.sleep(100)
  }
}

/** Status and fault code for short comparisons: `403 forbidden`. */
export async function outcome(answer: Promise<Response>): Promise<string> {
  const { status, headers, body } = await answer
  await body?.cancel()
  return `${status} ${readFaultHeader(headers.get(FAULT_HEADER) ?? '')?.code ?? ''}`.trim()
}

/** Reads a response to the end. @returns its status and the whole fault: `400 badRequest; field=name` */
export async function outcomeWithReason(answer: Promise<Response>): Promise<string> {
  const { status, headers, body } = await answer
  await body?.cancel()
  return `${status} ${headers.get(FAULT_HEADER) ?? ''}`.trim()
}

/** A client with the token of a session. */
export function clientWith(url: string, token: string): Client {
  return {
    token,
    async call(method, address, body, headers = {}) {
      const isPlain = body !== undefined && Object.getPrototypeOf(body) === Object.prototype
      const answer = await fetch(url + address, {
        method,
        redirect: 'manual',
        headers: { ...(token ? { [TOKEN_HEADER]: token } : {}), ...headers },
        ...(body === undefined
          ? {}
          : { body: isPlain ? JSON.stringify(body) : (body as BodyInit) }),
      })
      await mustBeDescribed(url, method, address, answer.status)
      return answer
    },
  }
}
