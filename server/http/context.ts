/** What every handler finds in its context. */
import type { Context } from 'hono'
import type { Scope } from '#server/access/scope.ts'
import type { AuthContext } from '#server/accounts/sessions.ts'
import type { SignedUrl } from '#server/accounts/tokens.ts'
import type { App } from '#server/app.ts'
import type { AuditAction } from '#wire/audit.ts'
import type { Permission } from '#wire/permissions.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Caller } from './peer.ts'
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
   * Resolves when the last byte of the answer is sent, or the client is gone. At a unix socket nobody
   * can tell: there it resolves when the runtime has the answer and has opened the file it sends.
   *
   * @param meanwhile called again and again until then
   */
  ended(request: Request, meanwhile: () => void): Promise<void>
  /** Ends the connection of a request that is under way. @returns false where nobody can, as at a unix socket */
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
  /** Whoever tried to be let in. */
  username?: string
}

export interface Env {
  Bindings: Connection
  Variables: {
    app: App
    logger: Logger
    metrics: Metrics
    /** The path of the request below the base URL, as it was sent: still percent-encoded. */
    path: string
    /** Where the request came from. */
    caller: Caller
    /** The caller's. */
    address: string
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
    auth: AuthContext
    /** The row that answers; absent for the interface. */
    route: Route | undefined
    /** What the handler says of the request for the record. */
    auditNote: AuditNote | undefined
    scope: Scope
  }
}

export type Call = Context<Env>

/** Called after the answer; undefined where there is nothing to tell. */
export type DescribeAudit = (call: Call) => AuditNote | undefined

/** Who may call a route: anyone, anyone signed in, or holders of a permission. */
export type Needs = 'anyone' | 'session' | Permission

/** One row of the API. A route that does not say whom it is for cannot be written. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** As in `API`; a path that ends in `/*` carries a tree path. */
  path: string
  needs: Needs
  docs: RouteDocs
  /** What of it goes into the record. */
  audit?: DescribeAudit
  /** The handler may be silent for long: nobody is cut off while it works. */
  slow?: boolean
  handle(call: Call): Response | Promise<Response>
}
