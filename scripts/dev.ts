/**
 * `npm run dev -- [ROOT] [options]`: the server from source, begun anew when a file changes, and
 * vite before it with the interface. Both end with Ctrl-C.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createServer } from 'vite'
import { REPO_ROOT } from './repo-root.ts'

const SERVER_PORT = '8080'
const STOP_GRACE_MS = 1000

const [given, ...options] = process.argv.slice(2)
const root = resolve(process.env.INIT_CWD ?? process.cwd(), given ?? join(REPO_ROOT, 'data'))
mkdirSync(root, { recursive: true })

const words = ['--watch', join(REPO_ROOT, 'cli/main.ts'), 'serve', root, '--port', SERVER_PORT]
const server = Bun.spawn([process.execPath, ...words, ...options], {
  stdio: ['inherit', 'inherit', 'inherit'],
})
process.env.FILEMGR_DEV_SERVER = `http://127.0.0.1:${SERVER_PORT}`
const vite = await createServer({ root: join(REPO_ROOT, 'ui') })
await vite.listen()
vite.printUrls()

const end = async () => {
  server.kill('SIGTERM')
  // `--watch` waits for the next change of a file when the server has ended.
  setTimeout(() => server.kill('SIGKILL'), STOP_GRACE_MS)
  await Promise.all([vite.close(), server.exited])
  process.exit(0)
}
process.on('SIGINT', end)
process.on('SIGTERM', end)
server.exited.then(end)
