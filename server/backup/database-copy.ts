/** Copies all rows between an SQLite file and a database of a PostgreSQL server. */
import type { DatabaseAddress } from '#server/config/database-address.ts'
import { type CopiedRows, copyRows } from '#server/db/transfer/copy-rows.ts'
import { fromServer, toServer } from '#server/db/transfer/postgres-side.ts'
import { fromFile, toFile } from '#server/db/transfer/sqlite-side.ts'
import { Fault } from '#wire/fault.ts'

/**
 * Each row is compared before the target has any: it gets all rows or none.
 *
 * @throws Fault badRequest (both are files, or both on a server), conflict (the target has rows), locked (a server uses one
 *   of both), notFound; as `openCore`
 */
export async function copyBetween(from: DatabaseAddress, to: DatabaseAddress): Promise<CopiedRows> {
  if (from.kind === 'file' && to.kind === 'postgres') {
    const address = { url: to.url, password: to.password() }
    return await fromFile(from.path, (source) =>
      toServer(address, (target) => copyRows(source, target)),
    )
  }
  if (from.kind === 'postgres' && to.kind === 'file') {
    const address = { url: from.url, password: from.password() }
    const isAlone = true
    return await toFile(to.path, (target) =>
      fromServer(address, (source) => copyRows(source, target), { isAlone }),
    )
  }
  throw new Fault(
    'badRequest',
    'Name a file and a PostgreSQL database. `filemgr backup` copies a file, pg_dump a PostgreSQL database.',
  )
}
