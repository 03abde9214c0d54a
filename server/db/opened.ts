/** Opens the database where its address says, with what belongs to it besides rows. */
import { noteOpenDatabase } from '#server/os/open-databases.ts'
import type { FlushLog } from './commits.ts'
import { copyDatabase, type PackedFile, packInto } from './copy.ts'
import type { Database } from './database.ts'
import { openDatabase, waitBriefly } from './open.ts'
import type { PostgresAddress } from './postgres/connection.ts'
import { type DurabilityNotice, durabilityNotices } from './postgres/durability.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { DatabaseReserve, NO_RESERVE, type SpaceReserve } from './reserve.ts'
import { SqliteDatabase } from './sqlite-database.ts'
import { copyRows } from './transfer/copy-rows.ts'
import { fromServer } from './transfer/postgres-side.ts'
import { toFile } from './transfer/sqlite-side.ts'

export interface OpenedDatabase {
  rows: Database
  /** Space on its disk. */
  reserve: SpaceReserve
  /** What operators should know of how it keeps what is acknowledged. */
  durabilityNotices(): Promise<DurabilityNotice[]>
  /** From now on the lock of another program is waited for only briefly, because all requests wait with it. */
  waitBriefly(): void
  /**
   * Writes its rows to a new SQLite file, with other files in it.
   *
   * @throws Error of the disk or of the database
   */
  copyTo(path: string, pack: readonly PackedFile[]): Promise<void>
  /** Writes waiting work and closes it. */
  close(): Promise<void>
}

/**
 * @param path of an existing file
 * @param reserveBytes how much of its disk is kept free at most
 * @throws as `openDatabase`
 */
export function openSqlite(path: string, reserveBytes: number, flushLog: FlushLog): OpenedDatabase {
  const reserve = new DatabaseReserve(path, reserveBytes)
  noteOpenDatabase(path)
  const connection = openDatabase(path, () => reserve.release())
  const rows = new SqliteDatabase(connection, flushLog)
  return {
    rows,
    reserve,
    durabilityNotices: async () => [],
    waitBriefly: () => waitBriefly(connection),
    copyTo: async (to, pack) => copyDatabase(connection, to, pack),
    close: () => rows.close(),
  }
}

/** @throws as `openPostgres` */
export async function openServer(
  address: PostgresAddress,
  options: { isRelaxed(): boolean },
): Promise<OpenedDatabase> {
  const rows = await openPostgres(address, options)
  return {
    rows,
    reserve: NO_RESERVE,
    durabilityNotices: () => durabilityNotices(rows, options.isRelaxed()),
    waitBriefly: () => undefined,
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
