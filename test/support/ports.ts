/** Ports of this machine, for programs that cannot pick one by themselves. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** Waits until somebody listens. */
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
