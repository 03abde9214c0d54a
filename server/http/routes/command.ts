/** Runs commands over a WebSocket (docs/api.md 1.16). */

import type { ShellSession } from '#server/shell/connection.ts'
import { FramedProtocol } from '#server/shell/protocol/framed-protocol.ts'
import { PlainProtocol } from '#server/shell/protocol/plain-protocol.ts'
import { API } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import { NOT_ALLOWED, SHELL_PROTOCOL } from '#wire/api/shell.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Call, Route } from '../context/context.ts'
import type { SocketHandler } from '../context/socket.ts'
import { auditNoteFor } from '../request/audit.ts'
import { pathAfter } from '../request/input.ts'

/** How often an open socket checks the user's rights and whether it is idle. */
const RECHECK_EVERY_MS = 1000

export const commandRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.command}/*`,
    needs: 'execute',
    appPassword: 'none',
    audit: auditNoteFor('command', API.command),
    docs: {
      summary:
        'Runs a command in a folder, over a WebSocket: the client sends the command line, the server sends its output line by line',
      headers: {
        'Sec-WebSocket-Protocol': `\`${SHELL_PROTOCOL}\` for frames of JSON, input and terminals`,
      },
      responses: {
        101: 'the WebSocket is open',
        403: 'a rule denies it, the request is from a page of another site, or commands are off',
        404: 'there is no such file or folder',
        409: 'it is not a folder',
        429: 'this user has too many open WebSockets',
      },
    },
    slow: true,
    async handle(call) {
      refuseOtherSites(call)
      if (call.var.app.shell.off !== undefined)
        throw new Fault('forbidden', NOT_ALLOWED, { reason: 'commandNotAllowed' })
      const { path } = pathAfter(call, API.command)
      const { kind } = await call.var.scope.stat(path)
      if (kind !== 'folder') throw new Fault('notDirectory', 'This is not a folder.')
      return upgrade(call, path)
    },
  },
]

/**
 * A browser sends the cookie with the sockets of any site, so the Origin header must match. Other programs send no
 * Origin and must send the token itself.
 *
 * @throws Fault forbidden (the page is of another site, or the program sent no token)
 */
function refuseOtherSites({ req }: Call): void {
  const origin = req.header('origin')
  if (origin === undefined && req.header(TOKEN_HEADER) !== undefined) return
  if (origin !== undefined && isOwn(origin, req.header('host') ?? '')) return
  throw new Fault('forbidden', 'Commands are accepted only from pages of this server.')
}

function isOwn(origin: string, host: string): boolean {
  try {
    const page = new URL(origin)
    return page.host !== '' && page.host === new URL(`${page.protocol}//${host}`).host
  } catch {
    return false
  }
}

/** @throws Fault badRequest (no WebSocket upgrade), tooMany (of this user) */
function upgrade(call: Call, folder: TreePath): Response {
  const { app, auth } = call.var
  const isFramed = offeredProtocols(call).includes(SHELL_PROTOCOL)
  const headers: Record<string, string> = isFramed
    ? { 'Sec-WebSocket-Protocol': SHELL_PROTOCOL }
    : {}
  const permit = app.shell.acquirePermit(auth.user.id)
  const session = sessionOf(call, folder)
  const watched = new AbortController()
  const data: SocketHandler = {
    open(connection) {
      const ProtocolClass = isFramed ? FramedProtocol : PlainProtocol
      const protocol = new ProtocolClass(app.shell, session, connection)
      const close = () => connection.close()
      let [quietMs, hasReceived] = [0, false]
      const recheck = setInterval(async () => {
        quietMs = protocol.isBusy || hasReceived ? 0 : quietMs + RECHECK_EVERY_MS
        hasReceived = false
        const user = await session.user()
        if (!user?.scope.may('execute') || quietMs >= app.shell.quietMs) close()
      }, RECHECK_EVERY_MS)
      watched.signal.addEventListener('abort', () => clearInterval(recheck))
      app.shell.closing.addEventListener('abort', close, { signal: watched.signal })
      if (app.shell.closing.aborted) close()
      return {
        get isBusy() {
          return protocol.isBusy
        },
        receive(text) {
          hasReceived = true
          protocol.receive(text)
        },
        closed: () => protocol.closed(),
      }
    },
    closed() {
      watched.abort()
      permit[Symbol.dispose]()
    },
  }
  if (call.env.upgrade(call.req.raw, { data, headers })) return new Response(null)
  permit[Symbol.dispose]()
  throw new Fault('badRequest', 'This address accepts WebSocket connections only.')
}

function offeredProtocols({ req }: Call): string[] {
  return (req.header('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim())
}

/** The session reads the user from the database at each check, so that lost rights take effect. */
function sessionOf(call: Call, folder: TreePath): ShellSession {
  const { app, auth } = call.var
  const { id } = auth.session
  return {
    folder,
    shell: () => app.settings.get().shell.slice(0, 1),
    async user() {
      const user = await app.sessions.userOf(id)
      return user && { scope: app.scopeOf(user), programs: user.commands }
    },
  }
}
