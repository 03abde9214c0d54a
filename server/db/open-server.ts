/** Opens a database of a PostgreSQL server, with what belongs to it besides rows. Loaded only if one is named. */
import { packInto } from './copy.ts'
import type { OpenedDatabase } from './opened.ts'
import type { PostgresAddress } from './postgres/connection.ts'
import { databaseNotices } from './postgres/notices.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { ServerLeases } from './postgres/server-leases.ts'
import { NO_RESERVE } from './reserve.ts'
import { copyRows } from './transfer/copy-rows.ts'
import { fromServer } from './transfer/postgres-side.ts'
import { toFile } from './transfer/sqlite-side.ts'

/** @throws as `openPostgres` */
export async function openServer(
  address: PostgresAddress,
  options: { isRelaxed(): boolean },
): Promise<OpenedDatabase> {
  const rows = await openPostgres(address, options)
  const leases = new ServerLeases(rows)
  return {
    rows,
    leases,
    nowMs: () => leases.clock.nowMs(),
    reserve: NO_RESERVE,
    databaseNotices: () => databaseNotices(rows, options.isRelaxed()),
    channel: rows.channel,
    attempts: rows.attempts,
    serve: () => undefined,
    copyTo: async (to, pack) => {
      await toFile(
        to,
        (target) => fromServer(address, (source) => copyRows(source, target), { isAlone: false }),
        (unfinished) => packInto(unfinished, pack),
      )
    },
    close: () => rows.close(),
  }
}
