/** A TCP proxy between a browser and a server, which can be slowed or interrupted. */
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export interface TcpProxy {
  /** The address of the proxy: `http://127.0.0.1:PORT`. */
  url: string
  /** From now on limits the upload speed of each connection, in bytes per second. */
  slow(bytesPerSec: number): void
  /** Closes every connection, and accepts no new one. */
  cut(): Promise<void>
}

/** Opens a proxy to the server at `url`. Its speed is unlimited at first. */
export async function openTcpProxy(url: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let bytesPerSec = Number.POSITIVE_INFINITY

  /** Closes `other` when `end` closes. */
  const link = (end: Socket, other: Socket) => {
    sockets.add(end)
    end.on('close', () => {
      sockets.delete(end)
      other.destroy()
    })
    // Errors here are caused by the test on purpose.
    end.on('error', () => other.destroy())
  }
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    link(near, far)
    link(far, near)
    near.pipe(throttle(() => bytesPerSec)).pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('A TCP server has a port.')

  return {
    url: `http://127.0.0.1:${address.port}`,
    slow(wanted) {
      bytesPerSec = wanted
    },
    async cut() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => {
        server.close(() => done())
      })
    },
  }
}

/** Delays each chunk by the time that it takes at this speed. */
function throttle(bytesPerSec: () => number): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      const waitMs = (chunk.length / bytesPerSec()) * 1000
      if (waitMs < 1) pass(null, chunk)
      else setTimeout(pass, waitMs, null, chunk)
    },
  })
}
