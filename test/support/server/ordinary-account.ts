/** A server that runs as an ordinary account, so that permissions on the disk count: the tests may run as root. */
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { type Client, signIn } from './client.ts'
import { filemgr } from './executable.ts'
import { startServer, type TestServer } from './server.ts'

/** `nobody`. */
const ACCOUNT = 65534
const IS_ROOT = process.getuid?.() === 0

export interface OrdinaryServer {
  server: TestServer
  /** Its served folder, which belongs to the account. */
  root: string
  admin: Client
  stop(): Promise<void>
}

export async function startAsOrdinaryAccount(args: string[] = []): Promise<OrdinaryServer> {
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  mkdirSync(root)
  for (const path of [folder.path, root]) if (IS_ROOT) chownSync(path, ACCOUNT, ACCOUNT)
  const server = await startServer({
    root,
    database: join(folder.path, 'filemgr.db'),
    args,
    cwd: folder.path,
    env: { HOME: folder.path, TMPDIR: folder.path },
    program: asOrdinaryAccount(filemgr()),
  })
  return {
    server,
    root,
    admin: await signIn(server.url, 'admin', server.password),
    async stop() {
      await server.stop()
      folder.remove()
    },
  }
}

/** @returns the program, run by the ordinary account if this process is root */
export function asOrdinaryAccount(program: [string, ...string[]]): [string, ...string[]] {
  if (!IS_ROOT) return program
  const account = [`--reuid=${ACCOUNT}`, `--regid=${ACCOUNT}`, '--clear-groups']
  return ['setpriv', ...account, ...program]
}
