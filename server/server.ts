/** The listener: Bun.serve with everything that has an end, ended well. */
import { Fault } from '#wire/fault.ts'
import type { App } from './app.ts'
import { createHttp } from './http/app.ts'
import { createLogger, type LogTarget } from './http/log.ts'

/** How long transfers may take to finish when the server is asked to stop. */
const STOP_GRACE_MS = 10_000

export interface Listening {
  /** `http://127.0.0.1:8080`, with the base URL. */
  url: string
  /** Takes no new connection, lets what runs finish for a while, then closes. Uploads stay resumable. */
  stop(): Promise<void>
}

/** @throws Fault conflict (address in use), forbidden (port not allowed), badRequest (no such address) */
export function serve(app: App): Listening {
  const { config } = app
  const http = createHttp(app, createLogger(config.text('log') as LogTarget))
  try {
    const server = Bun.serve({
      hostname: config.text('address'),
      port: config.number('port'),
      // Said outright: without it Bun lets a second server of the same user share the port.
      reusePort: false,
      // Uploads are as large as they are; JSON bodies have their own limit.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      idleTimeout: Math.min(255, Math.round(config.number('stallTimeout'))),
      development: false,
      fetch: (request, bun) =>
        http.fetch(request, {
          requestIP: (of) => bun.requestIP(of),
          timeout: (of, seconds) => bun.timeout(of, seconds),
        }),
    })
    return {
      url: `http://${hostOf(server.hostname ?? '')}:${server.port}${app.baseURL}`,
      async stop() {
        const grace = setTimeout(() => server.stop(true), STOP_GRACE_MS)
        await server.stop()
        clearTimeout(grace)
      },
    }
  } catch (error) {
    throw explain(error, config.text('address'), config.number('port'))
  }
}

function hostOf(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname
}

function explain(error: unknown, address: string, port: number): Fault {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const cause = { cause: error }
  if (code === 'EADDRINUSE') {
    return new Fault(
      'conflict',
      `Port ${port} at ${address} is in use. Stop the other program, or choose another with --port.`,
      cause,
    )
  }
  if (code === 'EACCES') {
    return new Fault(
      'forbidden',
      `This user may not listen on port ${port}. Choose one above 1023 with --port.`,
      cause,
    )
  }
  return new Fault(
    'badRequest',
    `The address ${address}, port ${port}, cannot be listened on.`,
    cause,
  )
}
