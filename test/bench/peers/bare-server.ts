/**
 * A program that serves a folder with the runtime alone: without users, rights or checks. It lists folders with names,
 * sizes, modes and times, and writes uploads without a flush. Arguments: the folder and the port.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const [root = '.', port = '0'] = process.argv.slice(2)

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(port),
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  async fetch(request) {
    const path = decodeURIComponent(new URL(request.url).pathname)
    if (request.method === 'PUT') {
      await Bun.write(join(root, path), new Response(request.body))
      return new Response()
    }
    if (path.endsWith('/')) return Response.json(list(join(root, path)))
    return new Response(Bun.file(join(root, path)))
  },
})

function list(folder: string) {
  return readdirSync(folder).map((name) => {
    const { size, mtimeMs, mode } = statSync(join(folder, name))
    return { name, size, mode, modified: new Date(mtimeMs).toISOString() }
  })
}
