/** Servers with one PostgreSQL database and one served folder, for the tests of a group. */
import { afterAll, beforeAll } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { type Client, signIn } from './client.ts'
import { runFilemgr } from './executable.ts'
import { PASSWORD, PASSWORD_HASH } from './passwords.ts'
import { POSTGRES_PASSWORD, startPostgres, type TestPostgres } from './postgres.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'

export interface Cluster {
  postgres: TestPostgres
  /** The address of the database. */
  database: string
  /** The served folder. */
  root: string
  servers: readonly TestServer[]
  /** Starts one more server, which is stopped with the others. */
  start(options?: Partial<ServerOptions>): Promise<TestServer>
  /** The administrator, signed in at one of the servers. */
  admin(server: number): Promise<Client>
  /** Adds a user with the command line. */
  addUser(username: string, ...args: string[]): Promise<void>
}

/**
 * Starts the servers before the tests of the group, and removes them afterwards.
 *
 * @param options of each server
 * @returns what gives them to a test
 */
export function servedByCluster(
  count: number,
  options: Partial<ServerOptions> = {},
): () => Cluster {
  let cluster: Cluster | undefined
  let remove: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const postgres = await startPostgres()
    const database = await postgres.create()
    const env = { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD }
    const servers: TestServer[] = []
    const start: Cluster['start'] = async (more = {}) => {
      const server = await startServer({ root, database, ...options, ...more, env })
      servers.push(server)
      return server
    }
    remove = async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await postgres.remove()
      folder.remove()
    }
    for (let number = 0; number < count; number += 1) await start()
    cluster = {
      postgres,
      database,
      root,
      servers,
      start,
      admin: (number) => signIn(servers[number]?.url ?? '', 'admin', PASSWORD),
      async addUser(username, ...args) {
        const words = ['users', 'add', username, '--password-hash', PASSWORD_HASH, ...args]
        const run = await runFilemgr([...words, '--database', database], { home: folder.path, env })
        if (run.code !== 0) throw new Error(run.stderr)
      },
    }
  }, 120_000)
  afterAll(() => remove?.())
  return () => {
    if (!cluster) throw new Error('The servers exist only while the tests run.')
    return cluster
  }
}
