/**
 * `npm run dev -- [ROOT] [options]`: the server from source, restarted when a file changes, and vite in front of it
 * with the interface. Both end with Ctrl-C. The port of the server is fixed, because vite must know it.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createServer } from 'vite'
import { REPO_ROOT } from './repo-root.ts'

const SERVER_PORT = '8080'
const STOP_GRACE_MS = 1000

const args = process.argv.slice(2)
const isRootGiven = args[0] !== undefined && !args[0].startsWith('-')
const options = isRootGiven ? args.slice(1) : args
const folder = isRootGiven ? args[0] : join(REPO_ROOT, 'data')
const root = resolve(process.env.INIT_CWD ?? process.cwd(), folder ?? '')
mkdirSync(root, { recursive: true })

const program = [process.execPath, '--watch', join(REPO_ROOT, 'cli/main.ts')]
const server = Bun.spawn([...program, 'serve', root, ...options, '--port', SERVER_PORT], {
  stdio: ['inherit', 'inherit', 'inherit'],
})
process.env.FILEMGR_DEV_SERVER = `http://127.0.0.1:${SERVER_PORT}`
const vite = await createServer({ root: join(REPO_ROOT, 'ui') })
await vite.listen()
vite.printUrls()

const stop = async () => {
  server.kill('SIGTERM')
  // With `--watch`, Bun does not end with the server: it waits for the next change of a file.
  setTimeout(() => server.kill('SIGKILL'), STOP_GRACE_MS)
  await Promise.all([vite.close(), server.exited])
  process.exit(0)
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
server.exited.then(stop)
