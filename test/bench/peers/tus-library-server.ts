/**
 * A program that serves a folder with the runtime and `@tus/server`, as the manual of this library shows: without users,
 * rights or checks. It stages nothing, so an upload is visible from its first byte. Arguments: the folder and the port.
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
