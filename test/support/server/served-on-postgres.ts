/** A server of filemgr on a PostgreSQL server, for the tests of a group. */
import { afterAll, beforeAll } from 'bun:test'
import { POSTGRES_PASSWORD, startPostgres, type TestPostgres } from './postgres.ts'
import { startServer, type TestServer } from './server.ts'

export interface ServedOnPostgres {
  postgres: TestPostgres
  /** The address of the database of `server`. */
  url: string
  server: TestServer
}

/** Starts both before the tests of the group, and removes them afterwards. @returns what gives them to a test */
export function servedOnPostgres(): () => ServedOnPostgres {
  let served: ServedOnPostgres | undefined
  beforeAll(async () => {
    const postgres = await startPostgres()
    const url = await postgres.create()
    const env = { FILEMGR_DATABASE_PASSWORD: POSTGRES_PASSWORD }
    served = { postgres, url, server: await startServer({ database: url, env }) }
  })
  afterAll(async () => {
    await served?.server.stop()
    await served?.postgres.remove()
  })
  return () => {
    if (!served) throw new Error('The servers exist only while the tests run.')
    return served
  }
}
