/** The line between a browser and a server, as slow or as broken as a test wants it. */
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export interface Connection {
  /** The address of the near end: `http://127.0.0.1:PORT`. */
  url: string
  /** Each connection sends to the server at most so many bytes a second from now on. */
  slow(bytesPerSec: number): void
  /** Breaks every connection, and takes no other. */
  cut(): Promise<void>
}

/** Lays a line to the server at `url`. It is as quick as it can be until it is slowed. */
export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const ends = new Set<Socket>()
  let bytesPerSec = Number.POSITIVE_INFINITY

  const keep = (end: Socket, other: Socket) => {
    ends.add(end)
    end.on('close', () => {
      ends.delete(end)
      other.destroy()
    })
    // Whatever breaks here is what the test wanted to break.
    end.on('error', () => other.destroy())
  }
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    keep(near, far)
    keep(far, near)
    near.pipe(brake(() => bytesPerSec)).pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('A line has a port.')

  return {
    url: `http://127.0.0.1:${address.port}`,
    slow(wanted) {
      bytesPerSec = wanted
    },
    async cut() {
      for (const end of ends) end.destroy()
      await new Promise<void>((done) => {
        server.close(() => done())
      })
    },
  }
}

function brake(bytesPerSec: () => number): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      const waitMs = (chunk.length / bytesPerSec()) * 1000
      if (waitMs < 1) pass(null, chunk)
      else setTimeout(pass, waitMs, null, chunk)
    },
  })
}
