/** Free ports, for programs that cannot choose one themselves. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** @returns a port that was free a moment ago */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** Waits until a process listens on the port. */
export async function listens(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    } finally {
      socket.destroy()
    }
  }
}
