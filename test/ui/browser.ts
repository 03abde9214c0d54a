/**
 * A browser for unit tests: parts of happy-dom's window as globals, and a `fetch` that returns the responses of the
 * test. Tests import it before any module of `#ui`.
 */
import { Window } from 'happy-dom'
import type { TokenClaims, TokenUser } from '#wire/api/session.ts'
import { permissionsOf } from '#wire/permissions.ts'

const ORIGIN = 'http://files.test'

const window = new Window({ url: `${ORIGIN}/` })

const GLOBALS = [
  'window',
  'document',
  'location',
  'history',
  'localStorage',
  'sessionStorage',
  'navigator',
  'matchMedia',
  'getSelection',
  'addEventListener',
  'removeEventListener',
  'HTMLElement',
  'KeyboardEvent',
  'StorageEvent',
] as const

Object.defineProperty(window.document, 'fullscreenEnabled', { value: true })
for (const name of GLOBALS) {
  const value: unknown = Reflect.get(window, name)
  const bound = typeof value === 'function' && !/^[A-Z]/.test(name) ? value.bind(window) : value
  Object.defineProperty(globalThis, name, { value: bound, configurable: true, writable: true })
}

export interface SentRequest {
  method: string
  /** Path and query. */
  url: string
  headers: Headers
  body: BodyInit | null | undefined
}

type Answer = Response | Error

/** The requests since the last call of `serve`. */
export const sentRequests: SentRequest[] = []

/** Responds to each request from now on. If the answer is an Error, `fetch` fails with it. */
export function serve(answer: (request: SentRequest) => Answer | Promise<Answer>): void {
  sentRequests.length = 0
  globalThis.fetch = Object.assign(
    async (input: RequestInfo | URL, init?: RequestInit) => {
      const { pathname, search } = new URL(String(input), ORIGIN)
      const { method = 'GET', headers, body } = init ?? {}
      const request = { method, url: pathname + search, headers: new Headers(headers), body }
      sentRequests.push(request)
      const given = await answer(request)
      if (given instanceof Error) throw given
      return given
    },
    { preconnect() {} },
  )
}

/** Sets the URL of the page, without a new history entry. */
export function visit(url: string): void {
  history.replaceState(null, '', url)
}

/** A user as in a token. */
export function userOf(changes: Partial<TokenUser> = {}): TokenUser {
  return {
    id: 1,
    username: 'ana',
    locale: 'en',
    viewMode: 'list',
    singleClick: false,
    redirectAfterCopyMove: false,
    perm: permissionsOf('admin'),
    commands: [],
    lockPassword: false,
    hideDotfiles: false,
    dateFormat: false,
    sorting: { by: 'name', asc: true },
    aceEditorTheme: '',
    ...changes,
  }
}

/** A token with these claims. Its signature is invalid, because only the server checks it. */
export function tokenOf(user: TokenUser, claims: Partial<TokenClaims> = {}): string {
  const exp = Math.floor(Date.now() / 1000) + 3600
  const body: TokenClaims = { user, sid: 's', iss: 'test', iat: 0, exp, ...claims }
  return ['e30', Buffer.from(JSON.stringify(body)).toString('base64url'), 'none'].join('.')
}
