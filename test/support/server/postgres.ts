/** A PostgreSQL server of Debian below a temporary folder, with empty databases of filemgr. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { temporaryFolder } from '../files/tree.ts'
import { freePort } from './ports.ts'

const VERSIONS = '/usr/lib/postgresql'
const USER = 'filemgr'
export const POSTGRES_PASSWORD = 'the password of the database'
const SETTINGS = ['max_connections=200', 'shared_buffers=16MB']
/** Tests survive crashes of the server, not of the machine. */
const FAST = ['fsync=off', 'full_page_writes=off']

/** Why there is no PostgreSQL server for tests; undefined if there is one. */
export function postgresMissing(): string | undefined {
  return programs() ? undefined : 'postgresql is not installed'
}

/** The folder with the programs of the newest version. */
function programs(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined
  return readdirSync(VERSIONS)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(VERSIONS, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

export interface TestPostgres {
  port: number
  /** Creates a database. @returns its address, without a password */
  create(options?: { template?: string; encoding?: string }): Promise<string>
  /** Runs statements as the superuser. */
  run(url: string, sql: string): Promise<Record<string, unknown>[]>
  /** Ends the server at once, as a crash does; `start` starts it again with what was stored. */
  kill(): Promise<void>
  /** Ends the server in order: tables that are not flushed keep their rows. */
  stop(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** @param options.isDurable flushes to the disk, as a server that is not for tests */
export async function startPostgres({ isDurable = false } = {}): Promise<TestPostgres> {
  const folder = temporaryFolder()
  const port = await freePort()
  const account = ordinaryAccount()
  if (account) chownSync(folder.path, account.uid, account.gid)
  const data = join(folder.path, 'data')
  writeFileSync(join(folder.path, 'password'), POSTGRES_PASSWORD, { mode: 0o644 })
  const initialized = spawnSync(
    join(programs() ?? '', 'initdb'),
    ['-D', data, '-U', USER, '-E', 'UTF8', '--locale=C.UTF-8', '-N', '-A', 'scram-sha-256'].concat(
      '--pwfile',
      join(folder.path, 'password'),
    ),
    { ...account, cwd: folder.path, stdio: 'ignore' },
  )
  if (initialized.status !== 0) throw new Error('initdb has failed')
  const urlOf = (name: string) => `postgres://${USER}@127.0.0.1:${port}/${name}`
  let server: ChildProcess | undefined
  let count = 0
  const stop = async (signal: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  const start = async () => {
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=`]
    const all = [...settings, ...SETTINGS, ...(isDurable ? [] : FAST)]
    const args = ['-D', data, ...all.flatMap((line) => ['-c', line])]
    server = spawn(join(programs() ?? '', 'postgres'), args, {
      ...account,
      cwd: folder.path,
      stdio: 'ignore',
    })
    await answers(urlOf('postgres'))
  }
  await start()
  return {
    port,
    create: async ({ template = 'template0', encoding = 'UTF8' } = {}) => {
      count += 1
      const name = `test${count}`
      const locale = encoding === 'UTF8' ? 'C.UTF-8' : 'C'
      await runOnce(
        urlOf('postgres'),
        `CREATE DATABASE ${name} TEMPLATE ${template} ENCODING '${encoding}' LOCALE '${locale}'`,
      )
      return urlOf(name)
    },
    run: runOnce,
    kill: () => stop('SIGQUIT'),
    stop: () => stop('SIGINT'),
    start,
    remove: async () => {
      await stop('SIGINT')
      folder.remove()
    },
  }
}

/**
 * Creates a database with a name of its own on a server.
 *
 * @param server its address, with any database
 * @returns the address of the new one
 */
export async function createDatabase(server: string): Promise<string> {
  const url = new URL(server)
  const name = `test_${randomBytes(8).toString('hex')}`
  await runOnce(
    server,
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`,
  )
  url.pathname = `/${name}`
  return url.href
}

/** The server refuses to run as root. */
function ordinaryAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout) || 65_534
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function runOnce(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const connection = new SQL({ url, password: POSTGRES_PASSWORD, max: 1 })
  try {
    const rows: Record<string, unknown>[] = await connection.unsafe(sql)
    return Array.from(rows, (row) => ({ ...row }))
  } finally {
    await connection.close()
  }
}

async function answers(url: string): Promise<void> {
  for (;;) {
    try {
      await runOnce(url, 'SELECT 1')
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
