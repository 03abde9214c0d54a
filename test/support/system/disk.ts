/** A server on its own small disk, which can be made read-only. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { filemgr } from '../server/executable.ts'
import { startServer, type TestServer } from '../server/server.ts'

export interface SmallDisk {
  server: TestServer
  /** The path of its database; that on the disk exists only for the server. */
  database: string
  /** Makes the disk read-only. */
  freeze(): Promise<void>
  stop(): Promise<void>
}

/**
 * Mounts the disk in the mount namespace of the server, so that the test needs no rights on this machine.
 *
 * @param size the size of the disk, as mount expects it
 * @param options.database whether the database is on the disk too
 */
export async function startOnSmallDisk(
  size: string,
  options: { database?: boolean; args?: string[] } = {},
): Promise<SmallDisk> {
  const folder = temporaryFolder()
  const [root, signals] = [join(folder.path, 'root'), join(folder.path, 'signals')]
  for (const path of [root, signals]) mkdirSync(path)
  const script = `mount -t tmpfs -o size=${size} tmpfs '${root}'
    (until [ -e '${signals}/freeze' ] || ! [ -d '${signals}' ]; do sleep 0.05; done
     mount -o remount,ro '${root}' && touch '${signals}/frozen') >/dev/null 2>&1 &
    exec "$@"`
  const program: [string, ...string[]] = ['unshare', '-Urm', 'sh', '-c', script, 'sh', ...filemgr()]
  const database = join(options.database ? root : folder.path, 'own.db')
  const server = await startServer({
    root,
    program,
    database,
    ...(options.args && { args: options.args }),
  })
  return {
    server,
    database,
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
