/** A server made of `@tus/server` and `@tus/file-store`, which answers as tus 1.0 means it: the oracle of our own. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import { temporaryFolder } from '../files/tree.ts'

export interface TusLibrary {
  /** Where uploads are created. */
  url: string
  stop(): Promise<void>
}

export async function startTusLibrary(): Promise<TusLibrary> {
  const folder = temporaryFolder()
  const tus = new Server({ path: '/files', datastore: new FileStore({ directory: folder.path }) })
  const server = createServer((request, response) => void tus.handle(request, response))
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/files`,
    async stop() {
      await new Promise((closed) => server.close(closed))
      folder.remove()
    },
  }
}
