/** PgBouncer of Debian in transaction mode, in front of a test server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { freePort, listens } from './ports.ts'
import { POSTGRES_PASSWORD } from './postgres.ts'

const PROGRAM = '/usr/sbin/pgbouncer'
const NOBODY = 65_534

/** Why there is no pooler for tests; undefined if there is one. */
export function poolerMissing(): string | undefined {
  return existsSync(PROGRAM) ? undefined : 'pgbouncer is not installed'
}

/**
 * @param url of a database as of `TestPostgres`
 * @param ignored settings of a connection that it accepts, and does not pass on
 * @returns the address of the same database behind the pooler
 */
export async function startPooler(
  url: string,
  ignored: string,
): Promise<{ url: string; remove(): Promise<void> }> {
  const folder = temporaryFolder()
  chmodSync(folder.path, 0o755)
  const [{ port, pathname, username }, ownPort] = [new URL(url), await freePort()]
  const name = pathname.slice(1)
  const file = join(folder.path, 'pooler.ini')
  writeFileSync(
    file,
    `[databases]
${name} = host=127.0.0.1 port=${port} dbname=${name} user=${username} password='${POSTGRES_PASSWORD}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
ignore_startup_parameters = ${ignored}
`,
  )
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const pooler = spawn(PROGRAM, [file], { ...account, stdio: 'ignore' })
  await listens(ownPort)
  return {
    url: `postgres://${username}@127.0.0.1:${ownPort}/${name}`,
    remove: async () => {
      const ended = once(pooler, 'exit')
      pooler.kill()
      await ended
      folder.remove()
    },
  }
}
