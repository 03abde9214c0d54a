/** Servers with one PostgreSQL database and one served folder, for the tests of a group. */
import { afterAll, beforeAll } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { type Client, signIn } from './client.ts'
import { PASSWORD } from './passwords.ts'
import { POSTGRES_PASSWORD, startPostgres, type TestPostgres } from './postgres.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'

export interface Member {
  server: TestServer
  /** The administrator. */
  admin: Client
}

/** What one server of a cluster may have of its own. */
type OwnOptions = Pick<ServerOptions, 'program' | 'env' | 'args'>

export interface TestCluster {
  postgres: TestPostgres
  /** The address of the database. */
  url: string
  /** @returns a path below the served folder */
  at(...names: string[]): string
  members: Member[]
  /** Starts one more. */
  start(options?: OwnOptions): Promise<Member>
}

/**
 * Starts servers before the tests of the group, and ends them afterwards.
 *
 * @param args more arguments for each
 * @returns what gives them to a test
 */
export function cluster(count: number, args: string[] = []): () => TestCluster {
  let started: TestCluster | undefined
  let folder: ReturnType<typeof temporaryFolder>
  beforeAll(async () => {
    folder = temporaryFolder()
    mkdirSync(join(folder.path, 'root'))
    const postgres = await startPostgres()
    const url = await postgres.create()
    const members: Member[] = []
    const root = join(folder.path, 'root')
    const env = { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD }
    const start = async ({ args: more = [], ...own }: OwnOptions = {}) => {
      const options = { ...own, args: [...args, ...more], env: { ...env, ...own.env } }
      const server = await startServer({ root, database: url, ...options })
      const member = { server, admin: await signIn(server.url, 'admin', PASSWORD) }
      members.push(member)
      return member
    }
    started = { postgres, url, members, start, at: (...names) => join(root, ...names) }
    for (let number = 0; number < count; number += 1) await start()
  }, 60_000)
  afterAll(async () => {
    for (const { server } of started?.members ?? []) {
      server.kill('SIGKILL')
      await server.stop()
    }
    await started?.postgres.remove()
    folder.remove()
  })
  return () => {
    if (!started) throw new Error('The servers exist only while the tests run.')
    return started
  }
}

/** The servers of a cluster in their order. @throws Error if there are fewer */
export function serversOf({ members }: TestCluster): [Member, Member, Member] {
  const [first, second, third] = members
  if (!first || !second || !third) throw new Error('There are fewer than three servers.')
  return [first, second, third]
}
