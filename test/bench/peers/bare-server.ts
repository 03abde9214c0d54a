/**
 * What the runtime alone does: a server without people, rights or checks, run by a bench as a process of its own. It
 * serves the folder it is given at the port it is given, and lists folders as names, sizes and times.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const [root = '.', port = '0'] = process.argv.slice(2)

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(port),
  fetch(request) {
    const path = decodeURIComponent(new URL(request.url).pathname)
    if (path.endsWith('/')) return Response.json(listed(join(root, path)))
    return new Response(Bun.file(join(root, path)))
  },
})

function listed(folder: string) {
  return readdirSync(folder).map((name) => {
    const { size, mtimeMs, mode } = statSync(join(folder, name))
    return { name, size, mode, modified: new Date(mtimeMs).toISOString() }
  })
}
