/** Users in a real database, without a server. */
import { join } from 'node:path'
import { loadConfig } from '#server/config/load.ts'
import { openCore } from '#server/core.ts'
import { temporaryFolder } from '../files/tree.ts'

/** A cheap hash, for tests that verify many passwords. */
export const CHEAP = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const

export interface TestCore extends Awaited<ReturnType<typeof openCore>> {
  /** The path of the database. */
  database: string
}

/** A new database in a folder that is removed when it is closed. */
export async function temporaryCore(): Promise<TestCore> {
  const folder = temporaryFolder()
  const database = join(folder.path, 'f.db')
  const core = await openCore(loadConfig({ flags: { database }, env: {} }))
  return {
    ...core,
    database,
    async close() {
      await core.close()
      folder.remove()
    },
  }
}
