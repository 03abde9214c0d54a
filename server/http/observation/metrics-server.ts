/** Serves metrics at an address of its own, because users of the files must not see them. */
import type { App } from '#server/app.ts'
import { Fault } from '#wire/fault.ts'
import type { Metrics } from './metrics.ts'

/** Prometheus' text format. */
const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export interface MetricsServer {
  url: string
  stop(): Promise<void>
}

/**
 * @param listenAddress `127.0.0.1:9100`, `[::1]:9100`
 * @throws Fault badRequest if it is not an address with a port, conflict if the server cannot listen on it
 */
export function serveMetrics(listenAddress: string, metrics: Metrics, app: App): MetricsServer {
  const [, hostname = '', port = ''] =
    /^(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(listenAddress) ?? []
  if (port === '' || Number(port) > 65_535) {
    throw new Fault(
      'badRequest',
      `metrics must be an address and a port, such as 127.0.0.1:9100, not "${listenAddress}".`,
    )
  }
  try {
    const server = Bun.serve({
      hostname: hostname.replace(/[[\]]/g, ''),
      port: Number(port),
      reusePort: false,
      async fetch(request) {
        const { pathname } = new URL(request.url)
        if (pathname !== '/metrics') return new Response('404 Not Found\n', { status: 404 })
        return new Response(await metrics.text(app), { headers: { 'Content-Type': TYPE } })
      },
    })
    return { url: `${server.url.origin}/metrics`, stop: () => server.stop(true) }
  } catch (cause) {
    throw new Fault(
      'conflict',
      `The server cannot listen on ${listenAddress} for metrics. Choose another address or port.`,
      {
        cause,
      },
    )
  }
}
