/** A server on a disk of its own: small, and made read-only when somebody says so. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filemgr } from './executable.ts'
import { startServer, type TestServer } from './server.ts'
import { temporaryFolder } from './tree.ts'

export interface SmallDisk {
  server: TestServer
  /** From here on nothing on the disk can be changed. */
  freeze(): Promise<void>
  stop(): Promise<void>
}

/**
 * Mounts the disk where only the server sees it (a mount namespace), so that nobody needs rights on
 * this machine.
 *
 * @param how `database`: the database is on it too
 */
export async function startOnSmallDisk(
  size: string,
  how: { database?: boolean; args?: string[] } = {},
): Promise<SmallDisk> {
  const folder = temporaryFolder()
  const [root, signals] = [join(folder.path, 'root'), join(folder.path, 'signals')]
  for (const path of [root, signals]) mkdirSync(path)
  const script = `mount -t tmpfs -o size=${size} tmpfs '${root}'
    (until [ -e '${signals}/freeze' ] || ! [ -d '${signals}' ]; do sleep 0.05; done
     mount -o remount,ro '${root}' && touch '${signals}/frozen') >/dev/null 2>&1 &
    exec "$@"`
  const program: [string, ...string[]] = ['unshare', '-Urm', 'sh', '-c', script, 'sh', ...filemgr()]
  const server = await startServer({
    root,
    program,
    ...(how.database && { database: join(root, 'own.db') }),
    ...(how.args && { args: how.args }),
  })
  return {
    server,
    async freeze() {
      writeFileSync(join(signals, 'freeze'), '')
      while (!(await Bun.file(join(signals, 'frozen')).exists())) await Bun.sleep(20)
    },
    async stop() {
      writeFileSync(join(signals, 'freeze'), '')
      await server.stop()
      folder.remove()
    },
  }
}
