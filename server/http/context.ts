/** What every handler finds in its context. */
import type { Context } from 'hono'
import type { Scope } from '#server/access/scope.ts'
import type { AuthContext } from '#server/accounts/sessions.ts'
import type { SignedUrl } from '#server/accounts/tokens.ts'
import type { App } from '#server/app.ts'
import type { AuditAction } from '#wire/audit.ts'
import type { Permission } from '#wire/permissions.ts'
import type { HttpLimits } from './limits.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Caller } from './peer.ts'
import type { PermittedWatch } from './permitted-watch.ts'
import type { RouteDocs } from './route-docs.ts'
import type { SocketHandler } from './socket.ts'

/** The parts of Bun's server a handler may use. */
export interface Connection {
  /**
   * Who is at the other end, as it was when the request arrived: an address, or `unix`. Undefined
   * when the connection was reset before that.
   */
  peer: string | undefined
  /** Seconds of silence after which a connection is dropped, unless a request says otherwise. */
  idleSec: number
  /** Seconds of silence until the connection is dropped, from now on; 0 is never. */
  timeout(request: Request, seconds: number): void
  /**
   * Resolves when the last byte of the answer is sent, or the client is gone. Called before the answer is given.
   *
   * @param file that the runtime sends, on the disk
   * @param meanwhile called again and again until then
   */
  ended(request: Request, file: string, meanwhile: () => void): Promise<void>
  /** Ends the answer to a request that sends a file. @returns false where nobody can, or nothing is left to send */
  hangUp(request: Request): boolean
  /** Makes a socket of the connection; false when it was no request for one. */
  upgrade(
    request: Request,
    options: { data: SocketHandler; headers: Record<string, string> },
  ): boolean
}

/** What a request was about. Handlers add to it what only they know. */
export interface AuditNote {
  action: AuditAction
  /** A path of the person's own tree, or what stood in its place. */
  path?: string
  to?: string
  /** Whose account it is about. */
  whom?: string
  bytes?: number
  share?: string
  /** The entry of the journal; without it, the only one of the request. */
  entry?: number
  /** Whoever tried to be let in. */
  username?: string
}

/** What every call carries. */
interface CommonVariables {
  app: App
  logger: Logger
  metrics: Metrics
  /** The path of the request below the base URL, as it was sent: still percent-encoded. */
  path: string
  /** Where the request came from. */
  caller: Caller
  /** The caller's. */
  address: string
  limits: HttpLimits
  permitted: PermittedWatch
  /** Among the requests under way. */
  requestSlot: Disposable
  /**
   * Whether the request may still go on: asked each second while bytes are on their way. Undefined
   * where everybody may. @throws Fault unauthenticated, forbidden, notFound
   */
  still: (() => void) | undefined
  /** The answer's body is made while it is sent. */
  streams: boolean | undefined
  /** Where people's bytes are shown; empty where it is here. */
  contentOrigin: string
  /** What it is at the second origin for. */
  signedUrl: SignedUrl | undefined
  /** The row that answers; absent for the interface. */
  route: Route | undefined
  /** What the handler says of the request for the record. */
  auditNote: AuditNote | undefined
}

/** What only the call of somebody who is signed in carries. */
interface SessionVariables {
  auth: AuthContext
  scope: Scope
}

/** Of middleware, which sees every call. */
export interface Env {
  Bindings: Connection
  Variables: CommonVariables & Partial<SessionVariables>
}

/** What a handler uses of Hono's context, with what it may count on. */
interface CallWith<Variables>
  extends Pick<
    Context<Env>,
    'req' | 'env' | 'res' | 'error' | 'header' | 'body' | 'html' | 'redirect'
  > {
  readonly var: Readonly<Variables>
  set<Key extends keyof CommonVariables>(key: Key, value: CommonVariables[Key]): void
}

/** A call that anyone may make: nothing says who makes it. */
export type PublicCall = CallWith<CommonVariables>

/** A call of somebody who is signed in. */
export type Call = CallWith<CommonVariables & SessionVariables>

/** Either of them, where a session makes a difference and need not be there. */
export type AnyCall = CallWith<CommonVariables & Partial<SessionVariables>>

/** Whether somebody who is signed in makes a call. */
export function hasSession(call: AnyCall): call is Call {
  return call.var.auth !== undefined && call.var.scope !== undefined
}

/** Called after the answer; undefined where there is nothing to tell. */
export type DescribeAudit = (call: AnyCall) => AuditNote | undefined

/** Who may call a route: anyone, anyone signed in, or holders of a permission. */
export type Needs = 'anyone' | 'session' | Permission

interface RouteRow {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** As in `API`; a path that ends in `/*` carries a tree path. */
  path: string
  docs: RouteDocs
  /** What of it goes into the record. */
  audit?: DescribeAudit
  /** The handler may be silent for long: nobody is cut off while it works. */
  slow?: boolean
}

/** A row that anyone may call: its handler knows of no session and of no scope. */
export interface PublicRoute extends RouteRow {
  needs: 'anyone'
  handle: (call: PublicCall) => Response | Promise<Response>
}

/** A row that needs a session, and perhaps a permission. */
export interface SessionRoute extends RouteRow {
  needs: Exclude<Needs, 'anyone'>
  handle: (call: Call) => Response | Promise<Response>
}

/** One row of the API. A route that does not say whom it is for cannot be written. */
export type Route = PublicRoute | SessionRoute
