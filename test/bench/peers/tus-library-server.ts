/**
 * Only the runtime and the library of tus, as its manual uses it: a server without users, rights or checks, which a
 * benchmark runs as a process of its own. It stages nothing, so an upload is visible from its first byte.
 */
import { FileStore, MemoryConfigstore } from '@tus/file-store'
import { Server } from '@tus/server'

const [root = '.', port = '0'] = process.argv.slice(2)

const idOf = ({ url }: Request) => decodeURIComponent(new URL(url).pathname.slice(1))

const tus = new Server({
  path: '/',
  datastore: new FileStore({ directory: root, configstore: new MemoryConfigstore() }),
  namingFunction: idOf,
  getFileIdFromRequest: idOf,
  generateUrl: ({ url }) => url,
})

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(port),
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  fetch: (request) => tus.handleWeb(request),
})
