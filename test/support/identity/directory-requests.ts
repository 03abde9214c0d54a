/** Records what is asked of a directory: a proxy that reads the requests, which must not be encrypted. */
import { connect, createServer, type Socket } from 'node:net'

export interface DirectoryRequests {
  /** The address of the proxy. */
  url: string
  /** The requests since the last call, in order. */
  take(): string[]
  stop(): void
}

/** Operations by their tags (RFC 4511 appendix B). */
const OPERATIONS: Record<number, string> = { 96: 'bind', 99: 'search', 66: 'unbind' }

/** @param url of the directory, with `ldap://` */
export async function recordRequests(url: string): Promise<DirectoryRequests> {
  const { port } = new URL(url.replace('ldap:', 'http:'))
  const sockets = new Set<Socket>()
  let requests: string[] = []
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
    let rest: Buffer = Buffer.alloc(0)
    near.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      for (let end = endOf(rest); end !== undefined; end = endOf(rest)) {
        requests.push(operationOf(rest))
        rest = rest.subarray(end)
      }
    })
  })
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('A TCP server has a port.')
  return {
    url: `ldap://localhost:${address.port}`,
    take() {
      const taken = requests
      requests = []
      // The end of a connection is not waited for.
      return taken.filter((operation) => operation !== 'unbind')
    },
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Where the length of a message ends, and the message (X.690 section 8.1.3); undefined if it has not arrived. */
function lengthsOf(bytes: Buffer): { head: number; end: number } | undefined {
  const first = bytes[1]
  if (first === undefined) return undefined
  if (first < 0x80) return { head: 2, end: 2 + first }
  const count = first & 0x7f
  if (bytes.length < 2 + count) return undefined
  return { head: 2 + count, end: 2 + count + bytes.readUIntBE(2, count) }
}

function endOf(bytes: Buffer): number | undefined {
  const end = lengthsOf(bytes)?.end
  return end !== undefined && bytes.length >= end ? end : undefined
}

/** The operation follows the number of the message. */
function operationOf(bytes: Buffer): string {
  const { head = 0 } = lengthsOf(bytes) ?? {}
  const tag = bytes[head + 2 + (bytes[head + 1] ?? 0)] ?? 0
  return OPERATIONS[tag] ?? String(tag)
}
