/** HAProxy with docs/examples/haproxy.cfg in front of three servers, with other addresses and without TLS. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from './ports.ts'
import { hasProxy, type RunningProxy, readExample, runProxy, write } from './proxies.ts'

const NAME = 'haproxy'
const EXAMPLE = 'haproxy.cfg'
/** How many servers the example has. */
const SERVERS = 3

/** Why there is no HAProxy for tests; undefined if there is one. */
export function haproxyMissing(): string | undefined {
  return hasProxy(NAME) ? undefined : 'haproxy is not installed'
}

/** What HAProxy knows of a server. */
export interface StateBehind {
  /** Whether new requests are sent there. */
  isUp: boolean
  /** How many requests run there now, and how many were sent there so far. */
  running: number
  sent: number
}

export interface Balancer extends RunningProxy {
  /** The ports at which it expects the servers, in the order of the example. */
  ports: number[]
  /** The states of the servers in the same order. */
  states(): Promise<StateBehind[]>
}

/** @throws Error with what HAProxy has printed, if it refuses the configuration */
export async function startBalancer(): Promise<Balancer> {
  const ports = await Promise.all(Array.from({ length: SERVERS }, freePort))
  const socket = Promise.withResolvers<string>()
  const proxy = await runProxy(NAME, (folder, listen) => {
    const file = write(folder, EXAMPLE, exampleWith(listen, ports))
    const path = join(folder, 'stats')
    socket.resolve(path)
    // A second file, so that the example is used as it is.
    const stats = write(folder, 'stats.cfg', `global\n    stats socket ${path}\n`)
    return { file, args: ['-db', '-f', file, '-f', stats] }
  })
  const path = await socket.promise
  return { ...proxy, ports, states: async () => statesIn(await ask(path, 'show stat')) }
}

/** @throws Error if the example does not contain an address that the test replaces */
function exampleWith(listen: number, ports: readonly number[]): string {
  let text = readExample(EXAMPLE)
  const replace = (from: string | RegExp, to: string) => {
    const replaced = text.replace(from, to)
    if (replaced === text) throw new Error(`${EXAMPLE} does not contain ${from}.`)
    text = replaced
  }
  replace(/bind :443 .*/, `bind 127.0.0.1:${listen}`)
  for (const [at, port] of ports.entries()) {
    replace(`10.20.0.${11 + at}:8080`, `127.0.0.1:${port}`)
  }
  // Only root can change to another account.
  if (process.getuid?.() !== 0) text = text.replaceAll(/^ *(user|group) .*\n/gm, '')
  return text
}

/** Sends a command to the socket of HAProxy. @returns the answer */
async function ask(path: string, command: string): Promise<string> {
  const socket = connect(path)
  let answer = ''
  socket.setEncoding('utf8').on('data', (part) => {
    answer += part
  })
  socket.write(`${command}\n`)
  await once(socket, 'close')
  return answer
}

/** @param csv the answer to `show stat`: a line for each frontend, backend and server */
function statesIn(csv: string): StateBehind[] {
  const [head = '', ...lines] = csv.replace(/^# /, '').trim().split('\n')
  const columns = head.split(',')
  const rows = lines.map((line) => {
    const cells = line.split(',')
    return (column: string) => cells[columns.indexOf(column)] ?? ''
  })
  return rows
    .filter((cell) => !['FRONTEND', 'BACKEND'].includes(cell('svname')))
    .map((cell) => ({
      isUp: cell('status').startsWith('UP'),
      running: Number(cell('scur')),
      sent: Number(cell('stot')),
    }))
}
