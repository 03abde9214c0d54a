/** The types of the request context and of routes. */
import type { Context } from 'hono'
import type { z } from 'zod'
import type { Scope } from '#server/access/scope/scope.ts'
import type { AuthContext } from '#server/accounts/credentials/sessions.ts'
import type { SignedUrl } from '#server/accounts/credentials/tokens.ts'
import type { App } from '#server/app.ts'
import type { AuditAction } from '#wire/api/audit.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Permission } from '#wire/permissions.ts'
import type { Logger } from '../observation/log.ts'
import type { Metrics } from '../observation/metrics.ts'
import type { AccessMonitor } from './access-monitor.ts'
import type { HttpLimits } from './limits.ts'
import type { Client } from './peer.ts'
import type { RouteDocs } from './route-docs.ts'
import type { SocketHandler } from './socket.ts'

/** The parts of Bun's server that a handler may use. */
export interface HttpConnection {
  /**
   * The address of the peer when the request arrived, or `unix`. Undefined if the connection was reset before that.
   */
  peer: string | undefined
  /** The default idle timeout in seconds. */
  idleSec: number
  /** Sets the idle timeout of the request's connection in seconds; 0 disables it. */
  timeout(request: Request, seconds: number): void
  /**
   * Resolves when the last byte of the response is sent, or the client has left. Called before the response is
   * returned.
   *
   * @param file the path on the disk of the file that the runtime sends
   * @param onWait called repeatedly until then
   */
  ended(request: Request, file: string, onWait: () => void): Promise<void>
  /**
   * Aborts the response of a request that sends a file.
   *
   * @returns false if that is not possible, or nothing is left to send
   */
  abortResponse(request: Request): boolean
  /** Upgrades the connection to a WebSocket; false if the request does not ask for it. */
  upgrade(
    request: Request,
    options: { data: SocketHandler; headers: Record<string, string> },
  ): boolean
}

/** A path that a handler looks up for the audit record: the request does not contain it. */
export interface FoundPath {
  /** The path in the served tree. */
  path: TreePath
  /** The user whom it belongs to; undefined if it belongs to everyone who may see the path. */
  ownerId: number | undefined
}

/** An account that a request changes. */
export interface NamedAccount {
  /** Absent if it does not exist yet. */
  id?: number
  username: string
}

/**
 * Details of a request for its audit record, which handlers add. Of what a handler looks up (`found`, `whom`), the record
 * contains only what the user may see (`recordAudit`), so a handler may add it before it checks the rights.
 */
export interface AuditNote {
  action: AuditAction
  /** A path of the request, in the user's scope; the raw text if it does not parse. */
  path?: string
  /** A path that the request does not contain; recorded instead of `path`. */
  found?: FoundPath
  /** The path from the root of the archive, if `path` is an archive of which one file is read. */
  inside?: TreePath
  /** The destination of a copy or rename, in the user's scope. */
  to?: string
  /** The account that is changed. */
  whom?: NamedAccount | undefined
  /** Bytes received or sent; by default the Content-Length. */
  bytes?: number
  /** The number of files that the record stands for; 1 by default. */
  times?: number
  /** The hash of the share. */
  share?: string
  /** The id of the journal entry; by default the only one of the request. */
  entry?: number
  /** The user name of a login attempt. */
  username?: string
  /** Why it was refused or failed, as in `X-Fault`; by default that of the response. */
  fault?: string
}

/** The body of a request that is a file, while it is read. */
export interface ReceivedBody {
  /** Undefined for a small body, which is read at once. */
  bytes: number | undefined
  /** Undefined if the client did not announce the length. */
  announcedBytes: number | undefined
}

/** The variables of every call. */
interface CommonVariables {
  app: App
  logger: Logger
  metrics: Metrics
  /** The path of the request below the base URL, still percent-encoded. */
  path: string
  client: Client
  /** The client's address. */
  address: string
  limits: HttpLimits
  accessMonitor: AccessMonitor
  /** Whether the idle timeout is disabled while the request is in flight. */
  hasNoIdleTimeout?: boolean
  /** Counts the request among those in flight until it is disposed of. */
  requestPermit: Disposable
  /**
   * Repeats the check of access; called each second while a body is received or sent. Undefined for public routes that
   * open no share.
   *
   * @throws Fault unauthenticated, forbidden, notFound
   */
  recheckAccess: (() => Promise<void>) | undefined
  /** How much of the body of a file has arrived; undefined if none was read. */
  upload: ReceivedBody | undefined
  /** Whether the body is generated while it is sent. */
  isStreamed: boolean | undefined
  /** The content origin; empty if there is none. */
  contentOrigin: string
  /** The parsed signed URL of a request to the content origin. */
  signedUrl: SignedUrl | undefined
  /** The text of a JSON body that was read; a stream can be read only once. */
  jsonText: string | undefined
  /** The matching route; absent for the interface. */
  route: Route | undefined
  /** The handler's details for the audit record. */
  auditNote: AuditNote | undefined
}

/** The variables of a call with a session. */
interface SessionVariables {
  auth: AuthContext
  scope: Scope
}

/** For middleware, which sees every call. */
export interface Env {
  Bindings: HttpConnection
  Variables: CommonVariables & Partial<SessionVariables>
}

/** The part of Hono's context that handlers use, with typed variables. */
interface CallWith<Variables>
  extends Pick<
    Context<Env>,
    'req' | 'env' | 'res' | 'error' | 'header' | 'body' | 'html' | 'redirect'
  > {
  readonly var: Readonly<Variables>
  set<Key extends keyof CommonVariables>(key: Key, value: CommonVariables[Key]): void
}

/** A call of a public route: there is no user. */
export type PublicCall = CallWith<CommonVariables>

/** A call with a session. */
export type Call = CallWith<CommonVariables & SessionVariables>

/** Either kind, for code that works with and without a session. */
export type AnyCall = CallWith<CommonVariables & Partial<SessionVariables>>

/** Whether the call has a session. */
export function hasSession(call: AnyCall): call is Call {
  return call.var.auth !== undefined && call.var.scope !== undefined
}

/** Called when the response is ready; returns undefined if there is nothing to record. */
export type DescribeAudit = (
  call: AnyCall,
) => AuditNote | undefined | Promise<AuditNote | undefined>

/** Who may call a route: anyone, signed-in users, or holders of a permission. */
export type Needs = 'anyone' | 'session' | Permission

interface RouteRow {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** Whether the route responds to every method, as in File Browser. The description has only `method`. */
  anyMethod?: boolean
  /** One of `API` (server/wire/api/routes.ts), with parameters; a path that ends in `/*` takes a tree path. */
  path: string
  docs: RouteDocs
  /** Describes the request for its audit record. */
  audit?: DescribeAudit
  /** The handler may take long without sending anything, so the idle timeout is disabled. */
  slow?: boolean
}

/** A public route: its handler has no session and no scope. */
export interface PublicRoute extends RouteRow {
  needs: 'anyone'
  handle: (call: PublicCall) => Response | Promise<Response>
}

/**
 * Whether a route may be called with an app password instead of a session: with any, only with one for the whole folder
 * of its user (the route knows other paths than those of the scope), or with none.
 */
export type AppPasswordUse = 'any' | 'wholeFolder' | 'none'

interface SignedInRow extends RouteRow {
  needs: Exclude<Needs, 'anyone'>
  appPassword: AppPasswordUse
  /** Users who must set up a second factor first may call it, because it is needed for that. */
  enrols?: true
  handle: (call: Call) => Response | Promise<Response>
}

/** A route that needs a session, and perhaps a permission. */
interface OrdinaryRoute extends SignedInRow {
  /**
   * The handler asks for a confirmation of the user (`confirmationOf`): for some of its changes, or because this is all that
   * the route does. Without it the route needs none.
   */
  recent?: 'sometimes' | 'itself'
}

/**
 * A route that the user confirms with the password and a second factor, or by a log-in with a provider, at most five minutes
 * ago (`Confirmations`). This is checked before the handler runs.
 */
export interface ConfirmedRoute extends SignedInRow {
  recent: 'always'
  docs: RouteDocs & { body: z.ZodType<{ current_password: string }> }
}

export type SessionRoute = OrdinaryRoute | ConfirmedRoute

/** A row of the route table. The type requires `needs`, so that no route can leave out who may call it. */
export type Route = PublicRoute | SessionRoute
