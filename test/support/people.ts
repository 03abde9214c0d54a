/** People in a real database, without a server. */
import { join } from 'node:path'
import { loadConfig } from '#server/config/load.ts'
import { openOffice } from '#server/office.ts'
import { temporaryFolder } from './tree.ts'

/** For people whose passwords many tests compare. */
export const CHEAP = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const

export interface OpenedOffice extends ReturnType<typeof openOffice> {
  /** The database on the disk. */
  database: string
}

/** A new database in a folder that vanishes when it is closed. */
export function temporaryOffice(): OpenedOffice {
  const folder = temporaryFolder()
  const database = join(folder.path, 'f.db')
  const office = openOffice(loadConfig({ flags: { database }, env: {} }), {})
  return {
    ...office,
    database,
    close() {
      office.close()
      folder.remove()
    },
  }
}
