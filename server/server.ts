/** The listener: starts Bun.serve with all services, and stops it cleanly. */

import { refuseOpenSocket } from '#server/config/socket-warning.ts'
import { type SocketHandler, websocket } from '#server/http/context/socket.ts'
import { RequestCompletion } from '#server/http/lifetime/request-completion.ts'
import { RunningRequests } from '#server/http/lifetime/running-requests.ts'
import { createLogger, type LogFormat, type Logger } from '#server/http/observation/log.ts'
import { Metrics } from '#server/http/observation/metrics.ts'
import { serveMetrics } from '#server/http/observation/metrics-server.ts'
import { type SentFile, trackSentFile } from '#server/listen/sent-files.ts'
import { shutDownConnection } from '#server/listen/sockets.ts'
import { clearSocket, setSocketMode, socketFault, withUmaskOf } from '#server/listen/unix-socket.ts'
import { UNIX } from '#wire/api/session.ts'
import { Fault } from '#wire/fault.ts'
import type { App } from './app.ts'
import type { Config } from './config/config.ts'
import { readFileText } from './config/document.ts'
import { createHttp, type Http } from './http/app.ts'
import { releaseCodePages } from './os/code-pages.ts'
import { type Reloaded, reload } from './settings/reload.ts'

/** How long running transfers may continue after a stop. */
const STOP_GRACE_MS = 10_000
/** How long handlers may take after their connections are closed, for example to remove what was received. */
const HANDLERS_END_MS = 5000
/** After this time the code of the start has run, and its memory can be released. */
const START_CODE_DONE_MS = 1000

export interface Listening {
  /** `http://127.0.0.1:8080`, with the base URL. */
  url: string
  /** The address of the metrics, if enabled. */
  metricsUrl: string | undefined
  /**
   * Applies changed options at run time.
   *
   * @throws Fault; then nothing is changed
   */
  reload(next: Config): Promise<Reloaded>
  /** Says in `/ready` that the server is stopping, and serves on for the time of the option `drain`. */
  drain(): Promise<void>
  /** Stops listening, waits a while for running requests, then closes. Uploads stay resumable. */
  stop(): Promise<void>
}

/**
 * @throws Fault conflict (address in use or not available), forbidden (port not allowed), badRequest (invalid address
 *   or certificate, sign-in by proxy at a socket that is open to all), notFound (no certificate)
 */
export async function serve(app: App): Promise<Listening> {
  const { config } = app
  const socket = config.text('socket')
  refuseOpenSocket(config)
  if (socket) await clearSocket(socket)
  const logger = createLogger(config.text('log'), logFormat(config))
  await logBackgroundWork(app, logger)
  await hearOthers(app, logger)
  const metrics = new Metrics()
  const running = new RunningRequests()
  const fetch = fetchWith(createHttp(app, logger, metrics), running, config)
  await using opened = new AsyncDisposableStack()
  const metricsAt = config.text('metrics')
  const metricsServer = metricsAt ? serveMetrics(metricsAt, metrics, app) : undefined
  opened.defer(() => metricsServer?.stop())
  app.serve()
  const listener = listen(config, fetch)
  opened.defer(() => listener.stop(true))
  if (socket) setSocketMode(socket, config.number('socketPerm'))
  app.index?.start((line) => logger.logLine('index', line))
  const startTimer = setTimeout(releaseCodePages, START_CODE_DONE_MS)
  opened.move()
  return {
    url: socket ? `unix:${socket}` : `${listener.url.origin}${app.baseURL}`,
    metricsUrl: metricsServer?.url,
    reload: reloader(app, logger),
    async drain() {
      app.refuseReady()
      await Bun.sleep(config.number('drain') * 1000)
    },
    async stop() {
      clearTimeout(startTimer)
      app.folderWatchers.close()
      await app.jobs.close()
      await app.shell.close()
      const grace = setTimeout(() => listener.stop(true), STOP_GRACE_MS)
      // Bun closes the listener and removes its socket at once. Later the path may be that of another server.
      await listener.stop()
      await metricsServer?.stop()
      clearTimeout(grace)
      await running.ended(HANDLERS_END_MS)
    },
  }
}

/** Starts the jobs. What they and other work in the background report is logged, and stops nothing. */
async function logBackgroundWork(app: App, logger: Logger): Promise<void> {
  app.eventCommands.listen((hook, line) => logger.logLine(hook, line))
  await app.jobs.start((line) => logger.logLine('job', line))
  const { database } = app.config.paths
  const file = database.kind === 'file' ? database.path : undefined
  app.tree.storage.can.sharing?.listen((line) => logger.logLine('storage', line), file)
  app.tree.recovered.listen(
    (line) => logger.logLine('recovery', line),
    async () => (await app.uploads?.unfinished.count()) ?? 0,
  )
  app.cluster.listen((line) => logger.logLine('cluster', line))
  app.tree.undo.listen((line) => logger.logLine('journal', line))
  app.audit.listen((line) => logger.logLine('audit', line))
  app.signIn.listen((line) => logger.logLine('sign-in', line))
  const logError = (error: unknown) => logger.logLine('server', String(error))
  process.on('uncaughtException', logError)
  process.on('unhandledRejection', logError)
}

/** Changes by other servers with the same database are reported as those that the system reports. */
async function hearOthers({ outbox, folderWatchers, index, jobs }: App, logger: Logger) {
  await outbox?.start({
    changed(paths) {
      index?.changed(paths)
      folderWatchers.changed(paths)
    },
    jobsChanged: () => jobs.lookForChanges(),
    log: (line) => logger.logLine('database', line),
  })
}

/** @returns the handler of requests for `Bun.serve`, which finds out when the last byte of a response is sent */
function fetchWith(http: Http, running: RunningRequests, config: Config) {
  const isSocket = config.text('socket') !== ''
  const completion = new RequestCompletion()
  return async (request: Request, bun: Bun.Server<SocketHandler>) => {
    // Resolves when Bun has opened the file of the response.
    const handedOver = Promise.withResolvers<void>()
    /** The path of the file that the response sends. */
    let sentPath: string | undefined
    let sentFile: SentFile | undefined
    const handling = http.fetch(request, {
      // Read now, because the address is gone when the connection is closed.
      peer: isSocket ? UNIX : bun.requestIP(request)?.address,
      idleSec: isSocket ? 0 : idleSeconds(config),
      timeout: (of, seconds) => bun.timeout(of, seconds),
      async ended(of, file, onWait) {
        sentPath = file
        await handedOver.promise
        await completion.wait(() => {
          if (isSocket ? !sentFile?.isOpen() : bun.requestIP(of) === null) return true
          onWait()
          return false
        })
      },
      abortResponse(of) {
        if (isSocket) return sentFile?.cut() ?? false
        const peer = bun.requestIP(of)
        return peer !== null && shutDownConnection(peer)
      },
      upgrade: (of, options) => bun.upgrade(of, options),
    })
    const response = await running.track(handling)
    if (sentPath === undefined) return response
    // Bun takes the response, and opens its file, in the turn in which it is returned.
    if (!isSocket) setImmediate(handedOver.resolve)
    else {
      await trackSentFile(sentPath, (file) => {
        sentFile = file
        handedOver.resolve()
      })
    }
    return response
  }
}

/** @throws Fault conflict, forbidden, badRequest, notFound */
function listen(config: Config, fetch: ReturnType<typeof fetchWith>): Bun.Server<SocketHandler> {
  const socket = config.text('socket')
  const common = {
    // Uploads may be of any size; JSON bodies have their own limit.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    fetch,
    websocket,
  }
  try {
    return socket
      ? withUmaskOf(config.number('socketPerm'), () => Bun.serve({ ...common, unix: socket }))
      : Bun.serve({ ...common, ...listenAddressOf(config) })
  } catch (error) {
    if (error instanceof Fault) throw error
    throw socket
      ? socketFault(socket, error)
      : listenFault(error, config.text('address'), config.number('port'))
  }
}

/** @returns a function that applies changed options, or throws and changes nothing */
function reloader({ config, settings }: App, logger: Logger): Listening['reload'] {
  let current = config
  return async (next) => {
    logger.redirect(next.text('log'), logFormat(next))
    try {
      const reloaded = await reload(settings, current, next)
      current = next
      return reloaded
    } catch (error) {
      logger.redirect(current.text('log'), logFormat(current))
      throw error
    }
  }
}

/**
 * Address and port, with or without TLS, and the idle timeout. At a unix socket the proxy has the idle timeout.
 *
 * @throws Fault badRequest, notFound
 */
export function listenAddressOf(config: Config) {
  return {
    hostname: config.text('address') || '0.0.0.0',
    port: config.number('port'),
    idleTimeout: idleSeconds(config),
    // Otherwise Bun lets a second server of the same user share the port.
    reusePort: false,
    ...certificate(config),
  }
}

/** @returns the format of the log; the option allows only these two */
function logFormat(config: Config): LogFormat {
  return config.text('logFormat') === 'json' ? 'json' : 'text'
}

/** The idle timeout, at most what Bun supports. */
function idleSeconds(config: Config): number {
  return Math.min(255, Math.round(config.number('stallTimeout')))
}

/** @throws Fault badRequest, notFound */
function certificate(config: Config) {
  const [cert, key] = [config.text('cert'), config.text('key')]
  if (!cert && !key) return {}
  if (!cert || !key) throw new Fault('badRequest', 'TLS needs both --cert and --key.')
  return { tls: { cert: readFileText(cert), key: readFileText(key) } }
}

/** The fault for an address at which nothing can listen. */
export function listenFault(error: unknown, address: string, port: number): Fault {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'EADDRINUSE') {
    return new Fault(
      'conflict',
      `Port ${port} at ${address} is in use. Stop the other program, or choose another port with --port.`,
    )
  }
  if (code === 'EACCES') {
    return new Fault(
      'forbidden',
      `This user may not listen on port ${port}. Choose a port above 1023 with --port.`,
    )
  }
  if (/BoringSSL|PEM|certificate|key/i.test(String(error))) {
    return new Fault(
      'badRequest',
      'The certificate and the key do not belong together, or one of them is damaged.',
      {
        cause: error,
      },
    )
  }
  if (code === 'ENOTFOUND' || code === 'ERR_INVALID_ARG_TYPE') {
    return new Fault(
      'badRequest',
      `"${address}" is not a network address. Name one with --address.`,
    )
  }
  return new Fault(
    'conflict',
    `The address ${address}, port ${port}, is not available on this machine.`,
  )
}
