/** A server that runs programs, and an administrator who may start some. */
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { runFilemgr } from './executable.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'

/**
 * @param programs separated by commas
 * @throws Error if they cannot be granted
 */
export async function startWithPrograms(
  programs: string,
  options: ServerOptions = {},
): Promise<TestServer> {
  const folder = temporaryFolder()
  const database = join(folder.path, 'filemgr.db')
  const server = await startServer({
    ...options,
    database,
    args: [...(options.args ?? []), '--exec'],
  })
  const args = ['users', 'update', 'admin', '--commands', programs, '--database', database]
  const granted = await runFilemgr(args, { home: folder.path })
  if (granted.code !== 0) {
    await server.stop()
    folder.remove()
    throw new Error(granted.stderr)
  }
  return {
    ...server,
    async stop() {
      const code = await server.stop()
      folder.remove()
      return code
    },
  }
}
