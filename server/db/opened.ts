/** An open database with what belongs to it besides rows, and how a file is opened. */
import { noteOpenDatabase } from '#server/os/open-databases.ts'
import type { ChangeChannel } from './change-channel.ts'
import type { FlushLog } from './commits.ts'
import { copyDatabase, type PackedFile } from './copy.ts'
import type { Database } from './database.ts'
import { openDatabase, waitBriefly } from './open.ts'
import type { DatabaseNotice } from './postgres/notices.ts'
import type { ServerLeases } from './postgres/server-leases.ts'
import { DatabaseReserve, type SpaceReserve } from './reserve.ts'
import type { RunningAttempts } from './running-attempts.ts'
import { SqliteDatabase } from './sqlite-database.ts'

export interface OpenedDatabase {
  rows: Database
  /** The leases of the processes that share it; undefined for a file. */
  leases: ServerLeases | undefined
  /** The time by the clock that all processes with it share, in milliseconds since the epoch. */
  nowMs(): number
  /** Space on its disk. */
  reserve: SpaceReserve
  /** What operators should know of it. */
  databaseNotices(): Promise<DatabaseNotice[]>
  /** How other servers with this database are told of changes; undefined if it is a file. */
  channel: ChangeChannel | undefined
  /** The sign-in attempts that run at all servers with this database; undefined if it is a file. */
  attempts: RunningAttempts | undefined
  /**
   * From now on requests are served by this thread: it waits only briefly for the lock of another program, and leaves
   * checkpoints to another thread.
   */
  serve(): void
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
 * @param durability `isRelaxed`: whether changes of files need not be on the disk
 * @throws as `openDatabase`
 */
export function openSqlite(
  path: string,
  reserveBytes: number,
  { flushLog, isRelaxed }: { flushLog: FlushLog; isRelaxed: () => boolean },
): OpenedDatabase {
  const reserve = new DatabaseReserve(path, reserveBytes)
  noteOpenDatabase(path)
  const connection = openDatabase(path, () => reserve.release())
  const rows = new SqliteDatabase(connection, flushLog, isRelaxed)
  return {
    rows,
    leases: undefined,
    nowMs: () => Date.now(),
    reserve,
    databaseNotices: async () => [],
    channel: undefined,
    attempts: undefined,
    serve() {
      waitBriefly(connection)
      rows.checkpointInThread()
    },
    copyTo: async (to, pack) => copyDatabase(connection, to, pack),
    close: () => rows.close(),
  }
}
